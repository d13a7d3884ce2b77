import path from 'node:path';
import { build } from 'tsup';

/** Bundles a TypeScript file of this folder for plain Node. Returns the path. */
export async function buildScript(fileName: string, outDir: string): Promise<string> {
  const name = path.basename(fileName, '.ts');
  await build({
    config: false,
    entry: { [name]: path.join(import.meta.dirname, fileName) },
    outDir,
    outExtension: () => ({ js: '.mjs' }),
    format: 'esm',
    platform: 'node',
    target: 'node20',
    noExternal: [/.*/],
    silent: true,
    clean: false,
    dts: false,
    esbuildOptions: (options) => {
      options.conditions = ['@cairn/source', 'import'];
    },
  });
  return path.join(outDir, `${name}.mjs`);
}
