// Runs every check of the repository in order and reports all that fail: node scripts/check.mjs [NAME...]
import { spawnSync } from 'node:child_process';
import { root } from './workspace.mjs';

/** Checks the types of one configuration; what has not changed since the last time is remembered beside the modules. */
function typesOf(configuration) {
  const memory = `node_modules/.cache/${configuration}.tsbuildinfo`;
  return ['tsc', '-p', configuration, '--incremental', '--tsBuildInfoFile', memory];
}

const STEPS = [
  { name: 'format', command: 'npx', args: ['biome', 'ci', '.'] },
  { name: 'types', command: 'npx', args: typesOf('tsconfig.json') },
  { name: 'engine types', command: 'npx', args: typesOf('tsconfig.engine.json') },
  { name: 'layers', command: 'node', args: ['scripts/checks/layers.mjs'] },
  { name: 'doors', command: 'node', args: ['scripts/checks/doors.mjs'] },
  { name: 'api', command: 'node', args: ['scripts/checks/api.mjs'] },
  { name: 'cycles', command: 'node', args: ['scripts/checks/cycles.mjs'] },
  { name: 'assertions', command: 'node', args: ['scripts/checks/assertions.mjs'] },
  { name: 'errors', command: 'node', args: ['scripts/checks/errors.mjs'] },
  { name: 'docs', command: 'node', args: ['scripts/checks/docs.mjs'] },
  { name: 'comments', command: 'node', args: ['scripts/checks/comments.mjs'] },
  { name: 'changesets', command: 'node', args: ['scripts/checks/changesets.mjs'] },
  { name: 'build', command: 'node', args: ['scripts/build.mjs'] },
  { name: 'packages', command: 'node', args: ['scripts/checks/packages.mjs'] },
  { name: 'typedoc', command: 'npx', args: ['typedoc', '--emit', 'none'] },
];

const wanted = process.argv.slice(2);
const steps = STEPS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const failed = [];
for (const { name, command, args } of steps) {
  const start = process.hrtime.bigint();
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  console.log(`check ${name}: ${status === 0 ? 'passed' : 'FAILED'} in ${seconds.toFixed(1)} s`);
  if (status !== 0) failed.push(name);
}
console.log(failed.length === 0 ? `check: ${steps.length} steps passed` : `check: failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
