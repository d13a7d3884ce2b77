import { existsSync } from 'node:fs';
import { CodedError } from '@cairn/errors';

/**
 * The built file of a worker of this package: `extraction/worker.js`.
 *
 * A worker thread cannot load TypeScript on every supported Node, so the source too uses the built file.
 * @throws `ERR_WORKER_MISSING` when the package was not built.
 */
export function locateWorkerFile(path: string): URL {
  const root = import.meta.url.endsWith('.ts') ? '../../dist/' : './';
  const url = new URL(root + path, import.meta.url);
  if (existsSync(url)) return url;
  const message = `the worker file dist/${path} is missing: build the package @cairn/node-runtime first`;
  throw new CodedError({ code: 'ERR_WORKER_MISSING', kind: 'internal', message });
}
