import fc from 'fast-check';
import { parse as parseByOxigraph } from 'oxigraph';
import { describe, expect, it } from 'vitest';
import { toChangeSet } from '../graph/patch/change-set.ts';
import { parsePatch } from '../graph/patch/parser.ts';
import { parseRdf } from './parse.ts';

const BASE = 'http://b/';

/** Documents with something of everything that a syntax has. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'text/turtle': `@prefix : <http://e/> . PREFIX e: <http://e/>
    :s a :T ; :p "x"@en, """long "text" """, 'y'^^e:t, 1.5, true ; :q [ :r ( 1 2 ) ] .
    # a comment
    _:b :p <rel\\u0061tive> .`,
  'application/trig': `@prefix : <http://e/> . :s :p :o . :g { :s :p "x" . _:b :q 1 } GRAPH <http://e/h> { :s :p ( :a ) }`,
  'application/n-triples': '<http://e/s> <http://e/p> "x\\"y"@en .\n_:b <http://e/p> "1"^^<http://e/t> .\n',
  'application/n-quads': '<http://e/s> <http://e/p> "x" <http://e/g> . # c\n_:b <http://e/p> _:c .\n',
  'application/ld+json': `[{"@context": {"n": "http://e/n", "k": {"@id": "http://e/k", "@container": "@list"}}, "@id": "http://e/s",
    "n": ["A", {"@value": "B", "@language": "en"}], "k": [1, true, 1.5], "@graph": [{"@type": "http://e/T"}]}]`,
  'application/rdf+xml': `<?xml version="1.0"?><!DOCTYPE rdf:RDF [<!ENTITY e "http://e/">]>
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/"><!-- c -->
    <e:T rdf:about="&e;s"><e:p xml:lang="en">x</e:p><e:q rdf:parseType="Collection"><e:U/></e:q>
    <e:r rdf:parseType="Literal"><b>y</b></e:r></e:T></rdf:RDF>`,
};

async function isRead(text: string, contentType: string): Promise<boolean> {
  try {
    for await (const _ of parseRdf(text, { contentType, baseIri: BASE }));
    return true;
  } catch {
    return false;
  }
}

function isReadByOxigraph(text: string, format: string): boolean {
  try {
    parseByOxigraph(text, { format, base_iri: BASE });
    return true;
  } catch {
    return false;
  }
}

/** A JSON-LD document is an object or an array. */
function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

describe('a document that was cut', () => {
  it.each(Object.entries(DOCUMENTS))('is refused at every place, or is a document itself: %s', async (type, text) => {
    expect(await isRead(text, type)).toBe(true);
    const wrong: string[] = [];
    for (let end = 0; end < text.length; end++) {
      const prefix = text.slice(0, end);
      const isDocument = type === 'application/ld+json' ? isJson(prefix) : isReadByOxigraph(prefix, type);
      if ((await isRead(prefix, type)) && !isDocument) wrong.push(prefix);
    }
    expect(wrong).toEqual([]);
  });

  it('is refused also where it comes in pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.entries(DOCUMENTS)),
        fc.nat(),
        fc.nat(),
        async ([type, text], a, b) => {
          const [cut, end] = [a % text.length, b % text.length].sort((x, y) => x - y) as [number, number];
          const pieces = [text.slice(0, cut), text.slice(cut, end)];
          const inPieces = async (): Promise<boolean> => {
            try {
              for await (const _ of parseRdf(pieces, { contentType: type, baseIri: BASE }));
              return true;
            } catch {
              return false;
            }
          };
          expect(await inPieces()).toBe(await isRead(text.slice(0, end), type));
        },
      ),
    );
  });

  it('is no document where JSON-LD is a text, a number or nothing, or goes on', async () => {
    const texts = ['"text"', '1', 'true', 'null', '', ' ', '{}{}', '{} x', '[] []', '{"@id":"u:x"}}', ']', '"{}"'];
    for (const text of texts) expect(await isRead(text, 'application/ld+json'), text).toBe(false);
    for (const text of ['{}', '[]', ' [ ] \n']) expect(await isRead(text, 'application/ld+json'), text).toBe(true);
  });

  it('is no document where RDF/XML is empty or only begins', async () => {
    const root = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">';
    for (const text of ['', ' ', '<?xml version="1.0"?>', root, `${root}</rdf:RDF`, `${root}</rdf:RDF><x/>`]) {
      expect(await isRead(text, 'application/rdf+xml'), text).toBe(false);
    }
    expect(await isRead(`${root}</rdf:RDF>\n`, 'application/rdf+xml')).toBe(true);
  });

  it('is never half a transaction of a patch', async () => {
    const patch = 'H id <u:x> .\nTX .\nPA e: <http://e/> .\nA <u:s> <u:p> "x" .\nD <u:s> <u:p> "y" <u:g> .\nTC .\n';
    const whole = await toChangeSet(parsePatch(patch), {
      additionLabels: () => ['*'],
      prefixLabel: '*',
      deletionLabel: undefined,
    });
    for (let end = 0; end < patch.length; end++) {
      const changes = await toChangeSet(parsePatch(patch.slice(0, end)), {
        additionLabels: () => ['*'],
        prefixLabel: '*',
        deletionLabel: undefined,
      }).catch(() => undefined);
      const { additions = [], deletions = [] } = changes ?? {};
      const count = additions.length + deletions.length;
      expect(count === 0 || count === whole.additions.length + whole.deletions.length, patch.slice(0, end)).toBe(true);
    }
  });
});
