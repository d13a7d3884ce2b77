import { defineConfig } from 'tsup';

/** The tsup configuration of a package: ESM for Node 20 and up, types unless `CAIRN_BUILD=fast`. */
export function packageBuild(entry: readonly string[] | Record<string, string>): ReturnType<typeof defineConfig> {
  const withTypes = process.env['CAIRN_BUILD'] !== 'fast';
  return defineConfig({
    entry: Array.isArray(entry) ? [...entry] : (entry as Record<string, string>),
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
    sourcemap: withTypes,
    clean: true,
    splitting: true,
    removeNodeProtocol: false,
    dts: withTypes ? { compilerOptions: { composite: false, incremental: false } } : false,
  });
}
