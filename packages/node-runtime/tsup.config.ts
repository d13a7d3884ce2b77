import { packageBuild } from '../../scripts/package-build.ts';

const build = packageBuild({
  index: 'src/index.ts',
  'extraction/worker': 'src/extraction/worker.ts',
  'worker-pool/testing/worker': 'src/worker-pool/testing/worker.ts',
});

// The shared configuration builds for no platform in particular, where `node:` modules do not resolve.
export default Object.assign(build, { platform: 'node' });
