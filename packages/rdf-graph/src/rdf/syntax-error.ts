import { CodedError, type SourcePosition } from '@cairn/errors';

/** `ERR_RDF_SYNTAX` (invalid): a text that is not the RDF it claims to be. */
export function rdfSyntaxError(
  syntax: string,
  problem: string,
  position?: SourcePosition,
  options: { readonly expected?: readonly string[]; readonly cause?: unknown } = {},
): CodedError {
  const place = position === undefined ? '' : ` on line ${position.line}`;
  const message = `${syntax} syntax error${place}: ${problem}`;
  return new CodedError({
    code: 'ERR_RDF_SYNTAX',
    kind: 'invalid',
    message,
    ...(position && { position }),
    ...options,
  });
}

/** `ERR_RDF_TOO_LARGE` (too-large): an input over a limit of its reader. */
export function rdfTooLarge(what: string, bound: number): CodedError {
  const message = `${what} must be at most ${bound}; got more`;
  return new CodedError({ code: 'ERR_RDF_TOO_LARGE', kind: 'too-large', message });
}
