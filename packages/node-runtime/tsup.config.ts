import { packageBuild } from '../../scripts/package-build.ts';

export default packageBuild(
  {
    index: 'src/index.ts',
    'extraction/worker': 'src/extraction/worker.ts',
    'worker-pool/testing/pool': 'src/worker-pool/pool.ts',
    'worker-pool/testing/worker': 'src/worker-pool/testing/worker.ts',
  },
  { platform: 'node' },
);
