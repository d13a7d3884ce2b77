import { CodedError } from '@cairn/errors';
import { createEvent } from '@cairn/events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeQuad, writeTerm } from '../../rdf/term-writer.ts';
import { blankNode, languageLiteral, namedNode, quad, stringLiteral } from '../../rdf/terms.ts';
import { changeSetFromEvent } from './event-changes.ts';
import {
  checkLabelsOfChanges,
  checkStatedLabels,
  type JudgeLabel,
  readStatedChanges,
  type StatedLabels,
} from './stated-labels.ts';

const SEC = 'http://telicent.io/security#';
const DATA = 'PREFIX ex: <http://e/>\nPREFIX sec: <http://telicent.io/security#>\n';

/** Knows the labels `a`, `b` and `c` only. */
const judge: JudgeLabel = (label, where) => {
  if (!/^[abc]$/.test(label)) throw new CodedError({ code: 'ERR_SECURITY_LABEL', kind: 'invalid', message: where });
};

function rule(pattern: string, label = 'a'): string {
  return `[] sec:pattern ${JSON.stringify(pattern)} ; sec:label ${JSON.stringify(label)} .`;
}

/** Checks a body; reading it as an event at the same time must come to the same, and change what the event changes. */
async function check(text: string, contentType = 'application/trig', graph?: string): Promise<StatedLabels> {
  const checked = checkStatedLabels(new TextEncoder().encode(text), { contentType, judge, graph });
  const headers = { 'Content-Type': contentType, ...(graph !== undefined && { Graph: graph }) };
  const event = createEvent({ id: 'e', type: 'rdf', headers, value: text });
  const [alone, read] = await Promise.allSettled([checked, readStatedChanges(event, { judge })]);
  if (read.status === 'rejected') expect(alone).toEqual(read);
  else {
    expect(alone).toMatchObject({ value: { unlabelled: read.value.unlabelled } });
    expect(read.value.changes).toEqual(await changeSetFromEvent(event));
  }
  return checked;
}

function checkTrig(data: string, rules: string): Promise<StatedLabels> {
  return check(`${DATA}${data} sec:labels { ${rules} }`);
}

/** The labels that an event with such a body gives its quads. */
async function labelsOf(data: string, rules: string): Promise<string[]> {
  const headers = { 'Content-Type': 'application/trig', 'Security-Label': 'own' };
  const event = createEvent({ id: 'e', type: 'rdf', headers, value: `${DATA}${data} sec:labels { ${rules} }` });
  return (await changeSetFromEvent(event)).additions.map(({ label }) => label ?? '');
}

describe('a body for one graph', () => {
  it('is checked as what is added there', async () => {
    const rules = `sec:labels { ${rule('* * * <u:target>')} }`;
    expect(await check(`${DATA}ex:s ex:p 1, 2 . ${rules}`, 'application/trig', 'u:target')).toMatchObject({
      additions: 2,
      unlabelled: 0,
    });
    await expect(check(`${DATA}ex:s ex:p 1 . ${rules}`)).rejects.toMatchObject({ code: 'ERR_LABEL_RULE' });
  });

  it('is refused when it names another, or is for the label graph and states data', async () => {
    const other = `${DATA}ex:g { ex:s ex:p 1 }`;
    await expect(check(other, 'application/trig', 'u:target')).rejects.toMatchObject({ code: 'ERR_RDF_TARGET' });
    await expect(check(`${DATA}ex:s ex:p 1 .`, 'text/turtle', `${SEC}labels`)).rejects.toMatchObject({
      code: 'ERR_LABEL_RULE',
    });
  });
});

describe('a rule of a label graph', () => {
  it('gives at most 256 labels to one pattern, as each stores every quad once more', async () => {
    const give = (count: number): Promise<readonly unknown[]> => {
      const rules = Array.from({ length: count }, (_, i) => rule('* * *', `l${i}`)).join('\n');
      const value = `${DATA}ex:s ex:v 1, 2 . sec:labels { ${rules} }`;
      const event = createEvent({ id: 'e', type: 'rdf', headers: { 'Content-Type': 'application/trig' }, value });
      const anyLabel: JudgeLabel = () => undefined;
      const bytes = new TextEncoder().encode(value);
      const checked = checkStatedLabels(bytes, { contentType: 'application/trig', judge: anyLabel });
      return Promise.all([checked, readStatedChanges(event, { judge: anyLabel })]);
    };
    expect(await give(256)).toMatchObject([{ additions: 2 }, { changes: { additions: { length: 512 } } }]);
    await expect(give(257)).rejects.toMatchObject({
      code: 'ERR_LABEL_RULE',
      message: expect.stringContaining('must give at most 256 labels; got 257'),
    });
  });

  it.each([
    ['ex:s ex:v "a * b"', 'ex:s ex:v "a * b" .'],
    ['ex:s ex:v "_ ANY ?x *"', 'ex:s ex:v "_ ANY ?x *" .'],
    ["ex:s ex:v 'x'@EN", 'ex:s ex:v "x"@en .'],
    ['ex:s ex:v """a "quoted" * text"""', 'ex:s ex:v "a \\"quoted\\" * text" .'],
    ['ex:s ex:v "ends with \\\\"', 'ex:s ex:v "ends with \\\\" .'],
    ['<http://e/s> ex:v 5.', 'ex:s ex:v 5 .'],
    ['_:b ex:v *', '_:b ex:v "x" .'],
    ['* ex:v _:b .', 'ex:s ex:v _:b .'],
    ['_:b ex:v _:c', '_:b ex:v _:c .'],
    ['_ a ?type', 'ex:s a ex:T .'],
  ])('%s applies, and passes the check', async (pattern, data) => {
    expect(await labelsOf(data, rule(pattern))).toEqual(['a']);
    expect(await checkTrig(data, rule(pattern))).toEqual({ additions: 1, unlabelled: 0, deletions: 0 });
  });

  it.each([
    ['ex:s ex:v', 'ERR_RDF_SYNTAX'],
    ['ex:s unknown:v *', 'ERR_RDF_SYNTAX'],
    ['ex:s ex:v "x', 'ERR_RDF_SYNTAX'],
    ['ex:s ex:v "x" . ex:s ex:v "y"', 'ERR_RDF_SYNTAX'],
    ['', 'ERR_RDF_SYNTAX'],
    ['[] ex:v *', 'ERR_LABEL_RULE'],
    ['<s> ex:v *', 'ERR_LABEL_RULE'],
    ['ex:s ex:w *', 'ERR_LABEL_RULE'],
    ['ex:s ex:v "y"', 'ERR_LABEL_RULE'],
    ['_:other ex:v *', 'ERR_LABEL_RULE'],
  ])('%j is refused where it cannot apply, with its text', async (pattern, code) => {
    const refused = checkTrig('ex:s ex:v "x" .', rule(pattern));
    await expect(refused).rejects.toMatchObject({
      code,
      kind: 'invalid',
      message: expect.stringContaining(JSON.stringify(pattern)),
    });
  });

  it('needs a pattern and a label', async () => {
    const code = 'ERR_LABEL_RULE';
    await expect(checkTrig('ex:s ex:v 1 .', '[] sec:pattern "* * *" .')).rejects.toMatchObject({ code });
    await expect(checkTrig('ex:s ex:v 1 .', '[] sec:label "a" .')).rejects.toMatchObject({ code });
    await expect(checkTrig('ex:s ex:v 1 .', '[] sec:patern "* * *" ; sec:lable "a" .')).rejects.toMatchObject({ code });
  });

  it('has every label of its own judged', async () => {
    const refused = checkTrig('ex:s ex:v 1 .', '[] sec:pattern "* * *" ; sec:label "a", "x" .');
    await expect(refused).rejects.toMatchObject({
      code: 'ERR_SECURITY_LABEL',
      message: 'the label of the pattern "* * *"',
    });
  });

  it('may be beaten by a more specific one', async () => {
    const rules = `${rule('ex:s ex:v *', 'a')} ${rule('ex:s ex:v 1', 'b')}`;
    expect(await checkTrig('ex:s ex:v 1 . ex:s ex:w 2 .', rules)).toEqual({
      additions: 2,
      unlabelled: 1,
      deletions: 0,
    });
  });

  it('is checked in every syntax that can name a graph', async () => {
    const quads = (label: string): string => `<http://e/s> <http://e/v> "x" .
_:r <${SEC}pattern> "* <http://e/v> *" <${SEC}labels> .
_:r <${SEC}label> "${label}" <${SEC}labels> .\n`;
    const patch = (label: string): string => quads(label).replace(/^(?=[<_])/gm, 'A ');
    const jsonLd = (label: string): string =>
      JSON.stringify([
        { '@id': 'http://e/s', 'http://e/v': 'x' },
        {
          '@id': `${SEC}labels`,
          '@graph': [{ '@id': '_:r', [`${SEC}pattern`]: '* <http://e/v> *', [`${SEC}label`]: label }],
        },
      ]);
    for (const [write, type] of [
      [quads, 'application/n-quads'],
      [patch, 'application/rdf-patch'],
      [jsonLd, 'application/ld+json'],
    ] as const) {
      expect(await check(write('b'), type)).toEqual({ additions: 1, unlabelled: 0, deletions: 0 });
      await expect(check(write('x'), type)).rejects.toMatchObject({ code: 'ERR_SECURITY_LABEL' });
    }
  });

  it('counts for nothing in a transaction of a patch that is aborted', async () => {
    const rows = (end: string): string => `TX .\nA _:r <${SEC}pattern> "* * *" <${SEC}labels> .
A _:r <${SEC}label> "x" <${SEC}labels> .\n${end} .\nA <http://e/s> <http://e/v> "x" .\n`;
    expect(await check(rows('TA'), 'application/rdf-patch')).toEqual({ additions: 1, unlabelled: 1, deletions: 0 });
    await expect(check(rows('TC'), 'application/rdf-patch')).rejects.toMatchObject({ code: 'ERR_SECURITY_LABEL' });
    const headers = { 'Content-Type': 'application/rdf-patch', 'Security-Label': 'own' };
    const event = createEvent({ id: 'e', type: 'rdf', headers, value: rows('TA') });
    expect((await changeSetFromEvent(event)).additions.map(({ label }) => label)).toEqual(['own']);
  });

  it('that a change set adds holds for what it adds under the same label', async () => {
    const data = quad(namedNode('http://e/s'), namedNode('http://e/v'), stringLiteral('x'));
    const graph = namedNode(`${SEC}labels`);
    const rules = (label: string) => [
      quad(blankNode('r'), namedNode(`${SEC}pattern`), stringLiteral('<http://e/s> * *'), graph),
      quad(blankNode('r'), namedNode(`${SEC}label`), stringLiteral(label), graph),
    ];
    const changes = (label: string, dataLabel: string) => ({
      deletions: [],
      additions: [...rules(label).map((one) => ({ quad: one, label: 'own' })), { quad: data, label: dataLabel }],
    });
    await checkLabelsOfChanges(changes('a', 'own'), { judge });
    await expect(checkLabelsOfChanges(changes('x', 'own'), { judge })).rejects.toMatchObject({
      code: 'ERR_SECURITY_LABEL',
    });
    await expect(checkLabelsOfChanges(changes('a', 'other'), { judge })).rejects.toMatchObject({
      code: 'ERR_LABEL_RULE',
    });
  });

  it('that spells out any quad labels that quad', async () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', '*', '_', '?', '"', "'", '\\', '<', '>', '.', '#', 'ANY'),
    });
    const term = fc.oneof(
      text.map(stringLiteral),
      text.map((value) => languageLiteral(value, 'en')),
      fc.constantFrom(namedNode('http://e/o'), blankNode('b')),
    );
    await fc.assert(
      fc.asyncProperty(term, fc.constantFrom(namedNode('http://e/s'), blankNode('c')), async (object, subject) => {
        const data = quad(subject, namedNode('http://e/v'), object);
        const pattern = `${writeTerm(subject)} <http://e/v> ${writeTerm(object)}`;
        expect(await labelsOf(writeQuad(data), rule(pattern))).toEqual(['a']);
      }),
      { numRuns: 200 },
    );
  });
});
