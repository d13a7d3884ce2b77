// Holds the built server against its own OpenAPI description: requests are generated from it, and every answer must be
// one that it names. node scripts/interface/run.mjs [OPTIONS OF SCHEMATHESIS...]
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../workspace.mjs';

const SCHEMATHESIS = 'schemathesis==4.32.5';
const here = import.meta.dirname;
const cli = path.join(root, 'packages/server/dist/cli.js');

/** The program in an environment of its own, kept between runs; `undefined` where there is no Python. */
function installSchemathesis() {
  const home = path.join(root, 'node_modules/.cache/schemathesis');
  const program = path.join(home, 'bin/schemathesis');
  if (existsSync(program)) return program;
  if (spawnSync('python3', ['-m', 'venv', home], { stdio: 'inherit' }).status !== 0) return undefined;
  const install = spawnSync(path.join(home, 'bin/pip'), ['install', '--quiet', SCHEMATHESIS], { stdio: 'inherit' });
  if (install.status !== 0) throw new Error(`pip install ${SCHEMATHESIS} failed`);
  return program;
}

/** The address of a server with the demo set, once it is ready. */
async function startServer(data) {
  const server = spawn(process.execPath, [cli, 'serve', '--demo', '--data', data, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const piece of server.stdout) {
    said += piece;
    const url = /listening on (\S+)/.exec(said)?.[1];
    if (url !== undefined) return { server, url };
  }
  throw new Error('the server ended before it listened');
}

const program = installSchemathesis();
if (program === undefined) {
  console.log('interface: SKIPPED, no python3 with venv');
  process.exit(0);
}
const scratch = mkdtempSync(path.join(tmpdir(), 'cairn-interface-'));
const data = path.join(scratch, 'data');
const { server, url } = await startServer(data);
const token = spawnSync(process.execPath, [cli, 'token', '--data', data, '--user', 'alice'], { encoding: 'utf8' });
const args = ['--config-file', path.join(here, 'schemathesis.toml'), 'run', `${url}/api/openapi.json`];
const run = spawn(program, [...args, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, CAIRN_TOKEN: token.stdout.trim(), SCHEMATHESIS_HOOKS: path.join(here, 'hooks.py') },
  cwd: scratch,
});
const [status] = await once(run, 'exit');
const isAlive = server.exitCode === null;
server.kill('SIGTERM');
if (isAlive) await once(server, 'exit');
else console.error('interface: the server did not survive');
rmSync(scratch, { recursive: true, force: true });
process.exitCode = isAlive && server.exitCode === 0 ? (status ?? 1) : 1;
