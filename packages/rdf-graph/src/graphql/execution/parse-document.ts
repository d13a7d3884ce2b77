import {
  type DocumentNode,
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { areSameLimits, limitError, type ResolvedLimits } from '../limits/limits.ts';
import { checkMeasure } from '../limits/measure.ts';
import { checkOverlaps } from '../limits/overlaps.ts';
import type { GraphSchema } from './graph-schema.ts';

/** Errors beyond this many are not listed. */
const MAX_ERRORS = 20;

const CACHED_DOCUMENTS = 256;
const MAX_CACHED_LENGTH = 1 << 14;

interface Checked {
  readonly document: DocumentNode;
  readonly limits: ResolvedLimits;
  readonly introspection: boolean;
}

/** Documents that were found valid for a schema, by text, the oldest forgotten first. */
const VALID = new WeakMap<GraphSchema, Map<string, Checked>>();

/** A document that may be executed, or why it may not. */
type ParsedDocument =
  | { readonly document: DocumentNode; readonly errors?: undefined }
  | { readonly errors: readonly GraphQLError[] };

/** True for a text that was found valid for a schema a short while ago, so that it need not be read again. */
export function isKnownDocument(schema: GraphSchema, text: string): boolean {
  return VALID.get(schema)?.has(text) ?? false;
}

/** A document that parses, keeps the limits and is valid; or what is wrong with it. In this order: bytes, tokens, depth, ... */
export function parseDocument(
  schema: GraphSchema,
  text: string,
  limits: ResolvedLimits,
  introspection: boolean,
): ParsedDocument {
  const known = VALID.get(schema)?.get(text);
  if (known !== undefined && known.introspection === introspection && areSameLimits(known.limits, limits)) return known;
  if (text.length > limits.maxBytes || new TextEncoder().encode(text).length > limits.maxBytes) {
    return { errors: [limitError(`a query may have ${limits.maxBytes} bytes; got more`)] };
  }
  let document: DocumentNode;
  try {
    document = parse(text, { maxTokens: limits.maxTokens });
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [toParseError(error, limits)] };
    // The parser recurses: a text that nests too deep for it ends its stack.
    if (error instanceof RangeError) return { errors: [limitError('the query nests too deep')] };
    throw error;
  }
  const exceeded = checkMeasure(document, limits);
  if (exceeded.length > 0) return { errors: exceeded };
  const overlaps = checkOverlaps(document, limits);
  if (overlaps !== undefined) return { errors: [overlaps] };
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const errors = validate(schema.schema, document, rules, { maxErrors: MAX_ERRORS });
  if (errors.length > 0) return { errors: errors.map(toValidationError) };
  remember(schema, text, { document, limits, introspection });
  return { document };
}

/** The parser gives the errors of limits no code, and no other mark than their text. */
function toParseError(error: GraphQLError, { maxTokens }: ResolvedLimits): GraphQLError {
  const isOfTokens = /contains more tha[nt] \d+ tokens/.test(error.message);
  return isOfTokens ? limitError(`a document may have ${maxTokens} tokens; got more`) : error;
}

function toValidationError(error: GraphQLError): GraphQLError {
  if (!error.message.endsWith('Validation aborted.')) return error;
  const isOfErrors = error.message.startsWith('Too many validation errors');
  return limitError(
    isOfErrors
      ? `an answer lists ${MAX_ERRORS} errors of a document; it has more`
      : 'the document has too many fields or fragments at one place to be compared',
  );
}

function remember(schema: GraphSchema, text: string, checked: Checked): void {
  if (text.length > MAX_CACHED_LENGTH) return;
  const documents = VALID.get(schema) ?? new Map<string, Checked>();
  VALID.set(schema, documents);
  const [oldest] = documents.keys();
  if (documents.size >= CACHED_DOCUMENTS) documents.delete(oldest);
  documents.set(text, checked);
}
