import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CodedError } from '@cairn/errors';
import type { Service } from '../composition/service.ts';
import { rdfTypeOfFile } from '../graph/rdf-type.ts';
import type { Operation, OperationArguments, OperationLine } from './operation.ts';

/** `load`: RDF files into a dataset, one event each. A file that cannot be read stops it; those before it stay. */
export const load: Operation = { name: 'load', run: loadFiles };

/** A file may be large, and nobody waits for an answer over HTTP. */
const APPLY_MS = 3_600_000;

async function* loadFiles(
  service: Service,
  args: OperationArguments,
  signal: AbortSignal,
): AsyncGenerator<OperationLine> {
  const dataset = String(args['dataset']);
  if (!service.datasets.has(dataset))
    throw usage(`the dataset must be one of ${[...service.datasets.keys()].join(', ')}`);
  const files = [args['files'] ?? []].flat();
  let loaded = 0;
  for (const file of files) {
    const contentType = rdfTypeOfFile(file);
    const value = await readFile(path.resolve(file)).catch((cause: NodeJS.ErrnoException) => {
      throw usage(`${file} cannot be read (${cause.code ?? 'unknown reason'})`);
    });
    const label = typeof args['label'] === 'string' ? args['label'] : undefined;
    await service.ingest.load({ dataset, contentType, value, label, timeoutMs: APPLY_MS, signal });
    loaded += 1;
    yield { type: 'progress', text: `${loaded}/${files.length} ${file}: ${value.byteLength} bytes` };
  }
  yield { type: 'result', text: `loaded ${loaded} files into ${dataset}` };
}

function usage(message: string): CodedError {
  return new CodedError({ code: 'ERR_USAGE', kind: 'invalid', message });
}
