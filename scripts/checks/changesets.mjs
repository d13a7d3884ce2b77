// A package whose files changed since the last release has a changeset: node scripts/checks/changesets.mjs
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readPackages, root } from '../workspace.mjs';
import { report } from './report.mjs';

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** The commit of the last release: the newest tag of a package, else nothing, and all of history is unreleased. */
function lastRelease() {
  const tags = git('tag', '--list', '@cairn/*', '--sort=-creatordate').split('\n');
  return tags[0] === '' ? undefined : tags[0];
}

function changedPackages(since) {
  const files = since === undefined ? git('ls-files', 'packages') : git('diff', '--name-only', since, '--', 'packages');
  const source = files
    .split('\n')
    .filter((file) => /^packages\/[^/]+\/(src\/|package\.json)/.test(file) && !/\.test\.ts$/.test(file));
  return new Set(source.map((file) => file.split('/')[1]));
}

function announcedPackages() {
  const directory = path.join(root, '.changeset');
  const files = readdirSync(directory).filter((file) => file.endsWith('.md') && file !== 'README.md');
  const heads = files.map(
    (file) => /^---\n([\s\S]*?)\n---/.exec(readFileSync(path.join(directory, file), 'utf8'))?.[1] ?? '',
  );
  return new Set(
    heads.flatMap((head) => [...head.matchAll(/['"]?@cairn\/([\w-]+)['"]?\s*:/g)].map(([, name]) => name)),
  );
}

const changed = changedPackages(lastRelease());
const announced = announcedPackages();
const silent = readPackages().filter(
  ({ name, manifest }) => manifest.private !== true && changed.has(name) && !announced.has(name),
);
report(
  'changesets',
  silent.map(({ name }) => `packages/${name}: changed since the last release, and no file in .changeset names it`),
);
