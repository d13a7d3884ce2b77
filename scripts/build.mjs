// Builds every package that has a build script, in dependency order: node scripts/build.mjs [--no-types] [NAME...]
import { spawnSync } from 'node:child_process';

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const withTypes = !process.argv.includes('--no-types');
const filters = names.length > 0 ? names.flatMap((name) => ['--filter', `@cairn/${name}`]) : ['-r'];
const { status } = spawnSync(
  'npx',
  ['-y', 'pnpm@12.21.0', ...filters, '--reporter=append-only', 'run', 'build', '--silent'],
  { stdio: 'inherit', env: { ...process.env, CAIRN_BUILD: withTypes ? 'full' : 'fast' } },
);
process.exit(status ?? 1);
