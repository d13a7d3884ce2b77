import {
  blankNode,
  GRAPH_MEDIA_TYPES,
  namedNode,
  quad,
  RDF_FORMATS,
  RESULTS_FORMATS,
  serializeRdf,
} from '@cairn/rdf-graph';
import type { HttpAnswer } from '../http/message.ts';
import type { Context } from '../routing/context.ts';
import { endpointOf } from './dataset.ts';
import { requireAcceptable, withCharset } from './result-answer.ts';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const SD = 'http://www.w3.org/ns/sparql-service-description#';
const ENTAILMENT = 'http://www.w3.org/ns/entailment/';
const PREFIXES = { sd: SD, formats: 'http://www.w3.org/ns/formats/', ent: ENTAILMENT };

type Quad = ReturnType<typeof quad>;

export type SparqlLanguage = 'SPARQL11Query' | 'SPARQL11Update';

/**
 * The description of a SPARQL endpoint, in the syntax of RDF that Accept prefers, Turtle by default. It says what the
 * service can do and nothing of what the dataset holds, so it is the same for everybody. None of the features that the
 * vocabulary names is claimed, since none applies: no federation, no dereferencing, no union as default graph.
 *
 * Source: https://www.w3.org/TR/sparql11-service-description/
 * @throws `ERR_NOT_ACCEPTABLE` (unsupported)
 */
export function describeService({ request }: Context, languages: readonly SparqlLanguage[]): HttpAnswer {
  const contentType = requireAcceptable(request.header('accept'), GRAPH_MEDIA_TYPES);
  return {
    status: 200,
    headers: { 'Content-Type': withCharset(contentType), Vary: 'Accept' },
    body: serializeRdf(serviceQuads(endpointOf(request), languages), { contentType, prefixes: PREFIXES }),
  };
}

function serviceQuads(endpoint: string, languages: readonly SparqlLanguage[]): readonly Quad[] {
  const service = blankNode('service');
  const dataset = blankNode('dataset');
  const graph = blankNode('graph');
  const written = [...RESULTS_FORMATS, ...RDF_FORMATS.filter(({ writable }) => writable)];
  return [
    quad(service, namedNode(`${RDF}type`), namedNode(`${SD}Service`)),
    quad(service, namedNode(`${SD}endpoint`), namedNode(endpoint)),
    ...languages.map((language) => quad(service, namedNode(`${SD}supportedLanguage`), namedNode(SD + language))),
    ...written.map(({ iri }) => quad(service, namedNode(`${SD}resultFormat`), namedNode(iri))),
    ...RDF_FORMATS.map(({ iri }) => quad(service, namedNode(`${SD}inputFormat`), namedNode(iri))),
    quad(service, namedNode(`${SD}defaultEntailmentRegime`), namedNode(`${ENTAILMENT}Simple`)),
    quad(service, namedNode(`${SD}defaultDataset`), dataset),
    quad(dataset, namedNode(`${RDF}type`), namedNode(`${SD}Dataset`)),
    quad(dataset, namedNode(`${SD}defaultGraph`), graph),
    quad(graph, namedNode(`${RDF}type`), namedNode(`${SD}Graph`)),
  ];
}
