import { type Bomb, ontology, ontologyUpdate, ontologyView } from './bomb.ts';

const VIEWED: readonly string[] = ['200'];
const DECLARED = 'a <http://www.w3.org/2002/07/owl#Class> ; <http://www.w3.org/2000/01/rdf-schema#label> "c"';
const PARENT = '<http://www.w3.org/2000/01/rdf-schema#subClassOf>';

function style(name: string, json: string): string {
  return `c:${name} ${DECLARED} ; o:style ${JSON.stringify(json)} .`;
}

function styled(name: string, json: () => string, path = '/styles?inherit=true'): Bomb['request'] {
  return () => ontology(style(name, json()), ontologyView(path));
}

function times(count: number, piece: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => piece(index)).join('\n');
}

/** Style JSON, and the classes that it hangs on: uploaded, then read. */
export const STYLE_BOMBS: readonly Bomb[] = [
  {
    name: 'arrays nested 30,000 deep',
    request: styled('deep', () => `${'['.repeat(30_000)}${']'.repeat(30_000)}`),
    ends: VIEWED,
  },
  {
    name: 'objects nested 10,000 deep',
    request: styled('deeper', () => `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, '/findings'),
    ends: VIEWED,
  },
  {
    name: 'a style of 900,000 letters',
    request: styled('long', () => `{"defaultStyles":{"shape":"${'x'.repeat(900_000)}"}}`),
    ends: VIEWED,
  },
  {
    name: 'a style with 6,000 keys',
    request: styled('wide', () => `{${Array.from({ length: 6_000 }, (_, i) => `"k${i}":0`).join(',')}}`, '/findings'),
    ends: VIEWED,
  },
  {
    name: 'a colour for a slow pattern',
    request: styled(
      'colour',
      () => `{"defaultStyles":{"dark":{"backgroundColor":"rgb(${'1 '.repeat(30_000)}","color":"#"}}}`,
    ),
    ends: VIEWED,
  },
  {
    name: 'a style with a prototype',
    request: styled('proto', () => '{"__proto__":{"toString":1},"constructor":{"prototype":{"a":1}}}'),
    ends: VIEWED,
  },
  {
    name: 'classes in a ring of 5,000',
    request: () =>
      ontology(
        times(5_000, (i) => `c:r${i} ${PARENT} c:r${(i + 1) % 5_000} .`),
        ontologyView('/styles?inherit=true'),
      ),
    ends: VIEWED,
  },
  {
    name: 'a class under each of the last, 5,000 deep',
    request: () =>
      ontology(
        times(5_000, (i) => `c:d${i + 1} ${DECLARED} ; ${PARENT} c:d${i} .`),
        ontologyView('/styles?inherit=true'),
      ),
    ends: VIEWED,
  },
  {
    name: 'layers of classes, each under all of the last',
    request: () =>
      ontology(
        times(40, (i) =>
          times(
            40,
            (j) =>
              `c:l${i}n${j} ${DECLARED} ; ${PARENT} ${Array.from({ length: 40 }, (_, k) => `c:l${i + 1}n${k}`).join(', ')} .`,
          ),
        ),
        ontologyView('/styles?inherit=true'),
      ),
    ends: VIEWED,
  },
  { name: 'what is found in all that', request: () => ontologyView('/findings'), ends: VIEWED },
  {
    name: 'an update that takes 3,000 classes away',
    request: () =>
      ontologyUpdate(
        `DELETE { ?s <${'http://www.w3.org/2000/01/rdf-schema#label'}> ?o } INSERT { ?s <urn:was> ?o } WHERE { ?s <http://www.w3.org/2000/01/rdf-schema#label> ?o }`,
      ),
    ends: ['200', '400 ERR_ONTOLOGY'],
  },
];
