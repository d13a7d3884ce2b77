import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { segmentWords } from './word-segments.ts';

const source = readFileSync(new URL('word-segments.ts', import.meta.url), 'utf8');
const module = ts.transpile(source, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 });

/** The words of each text, by a process that has cut no text before. */
function inFreshProcess(texts: readonly string[]): unknown {
  const call = `console.log(JSON.stringify(${JSON.stringify(texts)}.map((text) => segmentWords(text, 0))));`;
  const args = ['--input-type=module', '-e', `${module}\n${call}`];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

describe('the words of a run without spaces', () => {
  it('are the same whatever was cut before', () => {
    const texts = ['ーの', '々月', 'ーカ', 'ๆ', 'ー', 'カーの月', 'ไทย', 'ລາວ', 'မြန်မာ', 'ខ្មែរ', '월요일'];
    for (const text of texts) segmentWords(text, 0);
    for (const text of texts) expect([text, inFreshProcess([text])]).toEqual([text, [segmentWords(text, 0)]]);
    expect(inFreshProcess([...texts].reverse())).toEqual([...texts].reverse().map((text) => segmentWords(text, 0)));
  });
});
