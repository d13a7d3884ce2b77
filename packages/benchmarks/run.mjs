// Runs one benchmark, or lists them: npm run bench -- OPERATION [ARGUMENT...]
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const directory = import.meta.dirname;
const entryOf = (operation) => path.join(directory, operation, 'run.mjs');
const operations = readdirSync(directory).filter((name) => existsSync(entryOf(name)));
const [operation, ...rest] = process.argv.slice(2);
if (operation === undefined || !operations.includes(operation)) {
  console.error(
    `npm run bench -- OPERATION, where OPERATION is one of ${operations.join(', ')}; got ${operation ?? 'none'}`,
  );
  process.exit(2);
}
const { status } = spawnSync(process.execPath, ['--expose-gc', entryOf(operation), ...rest], { stdio: 'inherit' });
process.exit(status ?? 1);
