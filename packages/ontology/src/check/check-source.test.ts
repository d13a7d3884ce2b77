import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkOntology } from './check-source.ts';

const HEAD = '@prefix : <https://example.org/o#> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n';
const RUNS = process.env['CAIRN_LONG'] === '1' ? 20_000 : 300;

describe('checkOntology', () => {
  it('gives the line of the resource, and of its style', async () => {
    const text = `${HEAD}
:A a rdfs:Class ;
  rdfs:label "A" ;
  <http://telicent.io/ontology/style> "{" .
<https://example.org/o#B> a rdfs:Class ; rdfs:label "B" .`;
    const findings = await checkOntology({ text, contentType: 'text/turtle' });
    expect(findings.map(({ rule, subject, line }) => [rule, subject, line])).toEqual([
      ['parent', 'https://example.org/o#A', 4],
      ['parent', 'https://example.org/o#B', 7],
      ['style-json', 'https://example.org/o#A', 6],
    ]);
  });

  it('turns a syntax error into one finding with its line', async () => {
    const findings = await checkOntology({ text: `${HEAD}:A a rdfs:Class ;;; "`, contentType: 'text/turtle' });
    expect(findings).toEqual([expect.objectContaining({ rule: 'rdf-syntax', severity: 'error', line: 3 })]);
  });

  it('reads every syntax of the graph package', async () => {
    const iri = 'https://example.org/o#A';
    const type = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
    const rdfsClass = 'http://www.w3.org/2000/01/rdf-schema#Class';
    const sources: [string, string][] = [
      ['text/turtle', `<${iri}> a <${rdfsClass}> .`],
      ['application/trig', `<u:g> { <${iri}> a <${rdfsClass}> . }`],
      ['application/n-triples', `<${iri}> <${type}> <${rdfsClass}> .`],
      ['application/ld+json', JSON.stringify({ '@id': iri, '@type': rdfsClass })],
      [
        'application/rdf+xml',
        `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="http://www.w3.org/2000/01/rdf-schema#"><s:Class r:about="${iri}"/></r:RDF>`,
      ],
    ];
    for (const [contentType, text] of sources) {
      const findings = await checkOntology({ text, contentType });
      expect(findings.map(({ rule, subject }) => [rule, subject])).toEqual([
        ['parent', iri],
        ['name', iri],
      ]);
    }
  });

  it('turns any text into findings and never throws', async () => {
    const fragments = fc.constantFrom(
      ':A',
      'a',
      'rdfs:Class',
      '.',
      ';',
      '"x"',
      '[',
      ']',
      '(',
      ')',
      '_:b',
      '<u:i>',
      '{',
      '\n',
    );
    const turtle = fc.array(fragments, { maxLength: 30 }).map((words) => HEAD + words.join(' '));
    const bytes = fc.uint8Array({ maxLength: 200 }).map((some) => new TextDecoder().decode(some));
    const types = fc.constantFrom(
      'text/turtle',
      'application/trig',
      'application/n-quads',
      'application/ld+json',
      'application/rdf+xml',
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(turtle, bytes, fc.string(), fc.json()), types, async (text, contentType) => {
        expect(Array.isArray(await checkOntology({ text, contentType }))).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });
});
