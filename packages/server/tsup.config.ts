import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageBuild } from '../../scripts/package-build.ts';

const packages = path.join(import.meta.dirname, '..');

function revision(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
}

function versions(): Record<string, string> {
  const manifests = readdirSync(packages).map((name) => {
    const manifest = JSON.parse(readFileSync(path.join(packages, name, 'package.json'), 'utf8')) as { version: string };
    return [name, manifest.version] as const;
  });
  return Object.fromEntries(manifests);
}

/** Facts for `version-info` about the build, beside the code. */
async function writeBuildInfo(): Promise<void> {
  const info = {
    revision: revision(),
    timestamp: new Date().toISOString().slice(0, 19).replace('T', ' '),
    environment: `node ${process.version}`,
    versions: versions(),
  };
  writeFileSync(path.join(import.meta.dirname, 'dist', 'build-info.json'), `${JSON.stringify(info, undefined, 2)}\n`);
}

export default packageBuild(
  { index: 'src/index.ts', cli: 'src/cli.ts', 'graph/workers/worker': 'src/graph/workers/worker.ts' },
  { platform: 'node', onSuccess: writeBuildInfo },
);
