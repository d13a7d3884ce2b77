import { CodedError } from '@cairn/errors';
import { isAbsoluteIri, resolveIri } from '@cairn/rdf-graph/experimental';
import type { HttpRequest } from '../http/message.ts';
import { type ParametersOf, statedText } from '../parameters/parameter.ts';
import type { HeaderDescription } from '../routing/route.ts';
import { endpointOf } from './dataset.ts';

/** The base of relative IRIs in a body. */
export const BASE: ParametersOf<{ base: string | undefined }> = {
  base: statedText('base', {
    description: 'Absolute IRI that the relative IRIs of the body are relative to. It goes before `Content-Location`.',
  }),
};

export const BASE_HEADER: HeaderDescription = {
  name: 'Content-Location',
  required: false,
  description: 'IRI that the relative IRIs of the body are relative to; itself relative to the endpoint.',
  example: 'https://example.org/doc',
};

/** A parameter that must be an absolute IRI when it is given. @throws `ERR_IRI` (invalid), naming it */
export function absoluteIri(name: string, iri: string): string;
export function absoluteIri(name: string, iri: string | undefined): string | undefined;
export function absoluteIri(name: string, iri: string | undefined): string | undefined {
  if (iri === undefined || isAbsoluteIri(iri)) return iri;
  throw noIri(`query parameter ${name} must be an absolute IRI`, iri);
}

/**
 * The base of a body as its sender states it: the parameter, else the header; `undefined` without either.
 * @throws `ERR_IRI` (invalid)
 */
export function statedBase(request: HttpRequest, base: string | undefined): string | undefined {
  if (base !== undefined) return absoluteIri('base', base);
  const sent = request.header('content-location')?.trim();
  if (sent === undefined || sent === '') return undefined;
  const resolved = resolveIri(sent, endpointOf(request));
  if (resolved === undefined) throw noIri('the header Content-Location must be an IRI', sent);
  return resolved;
}

function noIri(expected: string, got: string): CodedError {
  const message = `${expected}; got ${JSON.stringify(got.slice(0, 100))}`;
  return new CodedError({ code: 'ERR_IRI', kind: 'invalid', message });
}
