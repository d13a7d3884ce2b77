/** Returns true if a document passes the filters. Called only for documents that would get among the best. */
export type DocumentTest = (document: number) => boolean;
