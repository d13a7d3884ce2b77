import type { Extraction, ExtractionRequest } from '@cairn/ingest';
import type { ResolvedExtractionLimits } from './limits.ts';
import type { TextBuilder } from './text-builder.ts';

/** A document whose type is known. */
export interface FormatInput {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** As the sender declared it, if at all. */
  readonly charset: string | undefined;
}

/** What a reader is given to work with. */
export interface ReadContext {
  readonly limits: ResolvedExtractionLimits;
  /** Takes the text. */
  readonly text: TextBuilder;
  /** Reads a document found inside this one; its text goes where this one's goes. */
  readonly readNested: (request: ExtractionRequest) => Promise<FormatContent & { readonly contentType: string }>;
}

export type Metadata = Record<string, string | number | readonly string[]>;

/** What a document says about itself, and why there is no text when there is none. */
export interface FormatContent {
  readonly title?: string | undefined;
  readonly metadata?: Extraction['metadata'] | undefined;
  readonly reason?: string | undefined;
}

/**
 * Reads one format: text into the context, the rest returned.
 *
 * Anything it throws that is not coded counts as a malformed document.
 */
export type FormatReader = (input: FormatInput, context: ReadContext) => FormatContent | Promise<FormatContent>;
