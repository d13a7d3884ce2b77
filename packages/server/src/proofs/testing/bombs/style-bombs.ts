import { type Bomb, bomb, nested, ontology, ontologyUpdate, ontologyView, times } from './bomb.ts';

const LABEL = '<http://www.w3.org/2000/01/rdf-schema#label>';
const DECLARED = `a <http://www.w3.org/2002/07/owl#Class> ; ${LABEL} "c"`;
const PARENT = '<http://www.w3.org/2000/01/rdf-schema#subClassOf>';

function asked(name: string, turtle: () => string, path = '/styles?inherit=true'): Bomb {
  return bomb(name, ['200'], () => ontology(turtle(), ontologyView(path)));
}

function styled(name: string, className: string, json: () => string, path?: string): Bomb {
  return asked(name, () => `c:${className} ${DECLARED} ; o:style ${JSON.stringify(json())} .`, path);
}

/** A class in the layer `i` of forty, under all of the next. */
function layered(i: number, j: number): string {
  return `c:l${i}n${j} ${DECLARED} ; ${PARENT} ${times(40, (k) => `c:l${i + 1}n${k}`, ', ')} .`;
}

/** Style JSON, and the classes that it hangs on: uploaded, then read. */
export const STYLE_BOMBS: readonly Bomb[] = [
  styled('arrays nested 30,000 deep', 'deep', () => nested(30_000, '[', ']')),
  styled('objects nested 10,000 deep', 'deeper', () => nested(10_000, '{"a":', '}', '1'), '/findings'),
  styled('a style of 900,000 letters', 'long', () => `{"defaultStyles":{"shape":"${'x'.repeat(900_000)}"}}`),
  styled('a style with 6,000 keys', 'wide', () => `{${times(6_000, '"k#":0', ',')}}`, '/findings'),
  styled(
    'a colour for a slow pattern',
    'colour',
    () => `{"defaultStyles":{"dark":{"backgroundColor":"rgb(${'1 '.repeat(30_000)}","color":"#"}}}`,
  ),
  styled('a style with a prototype', 'proto', () => '{"__proto__":{"toString":1},"constructor":{"prototype":{"a":1}}}'),
  asked('classes in a ring of 5,000', () => times(5_000, (i) => `c:r${i} ${PARENT} c:r${(i + 1) % 5_000} .`, '\n')),
  asked('a class under each of the last, 5,000 deep', () =>
    times(5_000, (i) => `c:d${i + 1} ${DECLARED} ; ${PARENT} c:d${i} .`, '\n'),
  ),
  asked('layers of classes, each under all of the last', () =>
    times(40, (i) => times(40, (j) => layered(i, j), '\n'), '\n'),
  ),
  bomb('what is found in all that', ['200'], () => ontologyView('/findings')),
  bomb('an update that takes 3,000 classes away', ['200', '400 ERR_ONTOLOGY'], () =>
    ontologyUpdate(`DELETE { ?s ${LABEL} ?o } INSERT { ?s <urn:was> ?o } WHERE { ?s ${LABEL} ?o }`),
  ),
];
