import { parseRdf } from '@cairn/rdf-graph';
import { DataFactory } from 'n3';
import { describe, expect, it } from 'vitest';
import { parseStyle } from '../style/parse-style.ts';
import { validateStyle } from '../style/validate-style.ts';
import { createStyle } from './create-style.ts';
import { setStyle, toStyleTurtle } from './set-style.ts';

const CLASS = 'https://example.org/o#A';

describe('createStyle', () => {
  it('makes a style without any finding out of nothing', () => {
    expect(validateStyle(createStyle())).toEqual([]);
  });

  it('looks up the code point and style class of the icon', () => {
    expect(createStyle({ faIcon: 'fa-brands fa-github', shape: 'star', size: 'L' })).toMatchObject({
      defaultStyles: { shape: 'star', size: 'L' },
      defaultIcons: { faUnicode: '\\uf09b', faClass: 'fa-brands' },
    });
  });

  it('refuses what would not pass the check', () => {
    expect(() => createStyle({ shape: 'blob' })).toThrow(/defaultStyles.shape is "blob"/);
    expect(() => createStyle({ faIcon: 'fa-solid fa-nothing' })).toThrow(/defaultIcons.faIcon/);
  });
});

describe('setStyle', () => {
  it('replaces the styles that are there and keeps one that is the same', () => {
    const { namedNode, literal, quad } = DataFactory;
    const predicate = namedNode('http://telicent.io/ontology/style');
    const old = quad(namedNode(CLASS), predicate, literal('old'));
    const same = quad(namedNode(CLASS), predicate, literal(JSON.stringify(createStyle())));
    const other = quad(namedNode(CLASS), namedNode('u:p'), literal('other'));
    const changes = setStyle(CLASS, createStyle(), { label: '*', existing: [old, same, other], factory: DataFactory });
    expect(changes.deletions).toEqual([{ quad: old, label: undefined }]);
    expect(changes.additions).toHaveLength(1);
    expect(changes.additions[0]?.quad.equals(same)).toBe(true);
    expect(changes.additions[0]?.label).toBe('*');
  });
});

async function objectsOf(turtle: string): Promise<string[]> {
  const objects: string[] = [];
  for await (const { object } of parseRdf(turtle, { contentType: 'text/turtle' })) objects.push(object.value);
  return objects;
}

describe('toStyleTurtle', () => {
  it('is Turtle whose literal reads back as the style', async () => {
    const style = createStyle({ faIcon: 'fa-solid fa-rocket' });
    const objects = await objectsOf(toStyleTurtle(CLASS, style));
    expect(objects.map((literal) => parseStyle(literal).style)).toEqual([style]);
  });

  it('makes no other statement of a class or a predicate that holds what an IRI may not hold', async () => {
    const hostile = ['has space> <x', 'x:a> <y:p> <z:o> . <q:r', 'x:a>', 'x:a\n', 'x:"\\', 'x:{}|^`<'];
    for (const text of hostile) {
      for (const turtle of [toStyleTurtle(text, createStyle()), toStyleTurtle(CLASS, createStyle(), text)]) {
        await expect(objectsOf(turtle), turtle).rejects.toMatchObject({
          code: 'ERR_RDF_SYNTAX',
        });
        expect(turtle.trim().split('\n'), turtle).toHaveLength(1);
      }
    }
  });
});
