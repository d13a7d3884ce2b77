import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { packageBuild } from '../../scripts/package-build.ts';

/** The maps of Chinese, Japanese and Korean that PDFs name without holding them, beside the worker that reads them. */
async function copyCharacterMaps(): Promise<void> {
  const source = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  cpSync(path.join(source, 'cmaps'), path.join(import.meta.dirname, 'dist/extraction/cmaps'), { recursive: true });
}

export default packageBuild(
  {
    index: 'src/index.ts',
    'extraction/worker': 'src/extraction/worker.ts',
    'worker-pool/testing/pool': 'src/worker-pool/pool.ts',
    'worker-pool/testing/worker': 'src/worker-pool/testing/worker.ts',
  },
  { platform: 'node', onSuccess: copyCharacterMaps },
);
