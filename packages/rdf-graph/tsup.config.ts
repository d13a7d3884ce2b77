import { packageBuild } from '../../scripts/package-build.ts';

export default packageBuild([
  'src/index.ts',
  'src/experimental.ts',
  'src/sparql.ts',
  'src/graphql.ts',
  'src/shacl.ts',
  'src/comunica.ts',
  'src/conformance.ts',
]);
