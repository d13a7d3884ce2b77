import { packageBuild } from '../../scripts/package-build.ts';

// The shared configuration builds for no platform in particular, where `node:` modules do not resolve.
export default Object.assign(packageBuild(['src/index.ts']), { platform: 'node' });
