import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root: string = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** The built server with the demo in a data directory of its own. */
export interface DemoServer {
  readonly directory: string;
  /**
   * Runs a script of the documents from the root of the project, with nothing changed but the address, the data
   * directory and where note.txt is written. @throws when it fails, with what it said.
   */
  run(script: string): string;
  close(): Promise<void>;
}

/** Starts the server and waits until it listens. */
export async function startDemoServer(): Promise<DemoServer> {
  const cli = path.join(root, 'packages/server/dist/cli.js');
  if (!existsSync(cli)) throw new Error('packages/server/dist/cli.js is missing; run npm run build:fast');
  const directory = mkdtempSync(path.join(tmpdir(), 'cairn-docs-'));
  const server = spawn(process.execPath, [cli, 'serve', '--demo', '--data', directory, '--port', '0'], { cwd: root });
  const address = await new Promise<string>((resolve, reject) => {
    let printed = '';
    server.stdout.on('data', (chunk) => {
      printed += chunk;
      const ready = /listening on (http:\S+)/.exec(printed);
      if (ready?.[1] !== undefined) resolve(ready[1]);
    });
    server.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${printed}`)));
  });
  const script = (text: string) =>
    text
      .replaceAll('http://127.0.0.1:8080', address)
      .replaceAll('.cairn-data', directory)
      .replaceAll('note.txt', path.join(directory, 'note.txt'));
  return {
    directory,
    run(text) {
      const { stdout, stderr, status } = spawnSync('bash', ['-e', '-c', script(text)], { cwd: root, encoding: 'utf8' });
      if (status !== 0) throw new Error(`ended with ${status}: ${stderr}`);
      return stdout;
    },
    async close() {
      server.removeAllListeners('exit');
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
