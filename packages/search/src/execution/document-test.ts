/** Whether a document passes what narrows a search. Asked only about documents that would get among the best. */
export type DocumentTest = (document: number) => boolean;
