// Links in the documents lead somewhere, and every package says what it is: node scripts/checks/docs.mjs [ROOT]
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { filesBelow, readPackages, root } from '../workspace.mjs';
import { report } from './report.mjs';

const LINK = /(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g;

/** Every link to a missing file or heading, and every missing README, one line each. */
export function findDocFaults(base = root) {
  const faults = [];
  for (const file of filesBelow(base)) {
    if (!file.endsWith('.md') || file.includes('/.changeset/') || file.includes('/test-fixtures/')) continue;
    const text = withoutFences(readFileSync(file, 'utf8'));
    for (const [, target] of text.matchAll(LINK)) {
      const fault = faultOfLink(file, target);
      if (fault !== undefined) faults.push(`${path.relative(base, file)}: ${fault}`);
    }
  }
  for (const { name, directory, manifest } of readPackages(base)) {
    if (manifest.private !== true && !existsSync(path.join(directory, 'README.md')))
      faults.push(`packages/${name}: no README.md`);
  }
  return faults;
}

function withoutFences(text) {
  return text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
}

function faultOfLink(file, target) {
  if (/^[a-z]+:/i.test(target)) return undefined;
  const [relative, anchor] = target.split('#');
  const destination = relative === '' ? file : path.resolve(path.dirname(file), decodeURIComponent(relative));
  if (!existsSync(destination)) return `link to ${target}, which does not exist`;
  if (anchor === undefined || !destination.endsWith('.md')) return undefined;
  return anchorsOf(readFileSync(destination, 'utf8')).has(anchor)
    ? undefined
    : `link to ${target}, which has no such heading`;
}

function anchorsOf(markdown) {
  const headings = withoutFencedLines(markdown).matchAll(/^#+\s+(.*)$/gm);
  return new Set([...headings].map(([, heading]) => slugOf(heading)));
}

function withoutFencedLines(text) {
  return text.replace(/^```[\s\S]*?^```/gm, '');
}

function slugOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

if (process.argv[1] === import.meta.filename) report('docs', findDocFaults(process.argv[2]));
