import type * as RDF from '@rdfjs/types';
import { parseRdf } from '../../rdf/parse.ts';

const PREFIXES = `@prefix : <http://e/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .`;

/** The quads of a TriG text with the usual prefixes; `:` stands for `http://e/`. */
export async function parse(text: string): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  const options = { contentType: 'application/trig', baseIri: 'http://e/' };
  for await (const quad of parseRdf(`${PREFIXES}\n${text}`, options)) quads.push(quad);
  return quads;
}
