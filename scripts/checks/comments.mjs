// Doc comments begin with what a thing is or does: node scripts/checks/comments.mjs [ROOT]
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { filesBelow, root } from '../workspace.mjs';
import { report } from './report.mjs';

/** Openings without a noun or verb of their own: "Whether it is open" is "True when it is open". */
const VAGUE_OPENING = /\/\*\*\s+(?:\*\s+)?(What|Whatever|Whether|Whoever) /g;

/** Returns every doc comment with a vague opening, one line each. */
export function findCommentFaults(base = root) {
  return [...filesBelow(base)].filter((file) => /\.(ts|mjs)$/.test(file)).flatMap((file) => faultsOf(file, base));
}

function faultsOf(file, base) {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(VAGUE_OPENING)].map(({ 1: word, index }) => {
    const line = text.slice(0, index).split('\n').length;
    return `${path.relative(base, file)}:${line}: a doc comment begins with "${word}": say what the thing is or does`;
  });
}

if (process.argv[1] === import.meta.filename) report('comments', findCommentFaults(process.argv[2]));
