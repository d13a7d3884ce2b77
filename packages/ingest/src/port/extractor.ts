/** A native document to be read. */
export interface ExtractionRequest {
  readonly bytes: Uint8Array;
  /** True when the extractor may keep the bytes or transfer their buffer: nobody reads them again. Default false. */
  readonly isHandedOver?: boolean | undefined;
  /** As the sender named it; data, never a path. May be empty. */
  readonly filename: string;
  /** The content type that the sender declared, if any. */
  readonly declaredType?: string | undefined;
}

/** Text and metadata read from a native document. */
export interface Extraction {
  /** The type found by magic bytes, declaration and extension, without parameters: `application/pdf`. */
  readonly contentType: string;
  /** Plain text in reading order, paragraphs separated by `\n`. Empty when `reason` is given. */
  readonly text: string;
  readonly title?: string | undefined;
  /** Facts that the document states about itself, by the names of Dublin Core where it has one: creator, created, language, pages. */
  readonly metadata: Readonly<Record<string, string | number | readonly string[]>>;
  /** Why there is no text, in words: `encrypted`, `unknown type`, `empty`. The document is then indexed by metadata. */
  readonly reason?: string | undefined;
}

/**
 * Reads text and metadata out of native documents.
 *
 * Laws for implementers: a hostile document MUST NOT take down or block the caller, nor exceed the implementation's
 * stated memory and time limits; nothing MUST be fetched from outside the document.
 */
export interface Extractor {
  /**
   * @param options.timeLimitMs reads the document for so long at most, milliseconds, where that is less than the limit of the
   *   extractor, and throws an error of the kind `timeout` then: the document may be handed over again without it. An
   *   extractor MAY pay no heed to it; then slow documents hold up the others
   * @throws `ERR_EXTRACTION` (invalid) for a malformed document or one that exceeds a limit, naming which;
   *   the document then belongs to the dead letters.
   */
  extract(
    request: ExtractionRequest,
    options?: { readonly signal?: AbortSignal | undefined; readonly timeLimitMs?: number | undefined },
  ): Promise<Extraction>;
  close(): Promise<void>;
}
