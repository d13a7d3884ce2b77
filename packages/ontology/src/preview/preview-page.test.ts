import { parseRdf } from '@cairn/rdf-graph';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { createOntologyModel } from '../model/ontology-model.ts';
import { SHAPES } from '../style/shapes.ts';
import { createStyle } from '../write/create-style.ts';
import { toStyleTurtle } from '../write/set-style.ts';
import { createPreviewPage } from './preview-page.ts';

async function page(turtle: string): Promise<string> {
  const quads: RDF.Quad[] = [];
  for await (const quad of parseRdf(turtle, { contentType: 'text/turtle' })) quads.push(quad);
  return createPreviewPage(createOntologyModel(quads), { title: 'A & B' });
}

const OWL_CLASS = '<http://www.w3.org/2002/07/owl#Class>';
const LABEL = '<http://www.w3.org/2000/01/rdf-schema#label>';

describe('createPreviewPage', () => {
  it('shows every styled class in both themes and three sizes, whatever its shape', async () => {
    const classes = [...SHAPES].map(
      (shape) => `<u:/${shape}> a ${OWL_CLASS} .\n${toStyleTurtle(`u:/${shape}`, createStyle({ shape }))}`,
    );
    const html = await page([...classes, `<u:/plain> a ${OWL_CLASS} .`].join('\n'));
    expect(html.match(/<figure /g)).toHaveLength(SHAPES.size * 2);
    expect(html.match(/class="node"/g)).toHaveLength(SHAPES.size * 6);
    expect(html).not.toContain('u:/plain');
  });

  it('escapes what authors wrote and fetches nothing', async () => {
    const html = await page(
      `<u:/A> a ${OWL_CLASS} ; ${LABEL} "<script>alert(1)</script>" .\n${toStyleTurtle('u:/A', createStyle())}`,
    );
    expect(html).toContain('&lt;script&gt;');
    expect(html).toContain('<title>A &amp; B</title>');
    expect(html).not.toMatch(/<script|<link|<img|url\(|@import|src=/);
    expect(html).toContain("default-src 'none'");
  });
});
