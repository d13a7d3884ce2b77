import type { Extraction, ExtractionRequest } from '@cairn/ingest';
import type { ResolvedExtractionLimits } from './limits.ts';
import type { TextBuilder } from './text-builder.ts';

export interface FormatInput {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** As the sender declared it, if at all. */
  readonly charset: string | undefined;
}

export interface ReadContext {
  readonly limits: ResolvedExtractionLimits;
  readonly text: TextBuilder;
  /** Reads a document found inside this one; its text goes where this one's goes. */
  readonly readNested: (request: ExtractionRequest) => Promise<FormatContent & { readonly contentType: string }>;
}

export type Metadata = Record<string, string | number | readonly string[]>;

/** Metadata of a document, and the reason when there is no text. */
export interface FormatContent {
  readonly title?: string | undefined;
  readonly metadata?: Extraction['metadata'] | undefined;
  readonly reason?: string | undefined;
}

/** Reads one format: text into the context, the rest returned. What it throws uncoded is of a malformed document. */
export type FormatReader = (input: FormatInput, context: ReadContext) => FormatContent | Promise<FormatContent>;
