import type { FunctionTable } from './definition.ts';

/** The cast functions by the IRI of the target datatype. */
export const CASTS: FunctionTable = new Map();
