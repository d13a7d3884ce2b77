import { defineConfig, type Options } from 'tsup';

/** Settings that differ between packages. */
export interface PackageBuildOptions {
  /** `neutral` for what runs anywhere (default), `node` for what imports `node:` modules. */
  readonly platform?: 'neutral' | 'node';
  /** Runs after the build. */
  readonly onSuccess?: () => Promise<void>;
}

/** The tsup configuration of a package: ESM for Node 20 and up, types unless `CAIRN_BUILD=fast`. */
export function packageBuild(
  entry: readonly string[] | Readonly<Record<string, string>>,
  { platform = 'neutral', onSuccess }: PackageBuildOptions = {},
): ReturnType<typeof defineConfig> {
  const withTypes = process.env['CAIRN_BUILD'] !== 'fast';
  const options: Options = {
    entry: Array.isArray(entry) ? [...entry] : { ...(entry as Record<string, string>) },
    format: 'esm',
    platform,
    target: 'es2023',
    sourcemap: withTypes,
    clean: true,
    splitting: true,
    removeNodeProtocol: false,
    // Types of other packages come from their build: reading their sources again for each package took minutes.
    dts: withTypes ? { compilerOptions: { composite: false, incremental: false, customConditions: [] } } : false,
    ...(onSuccess === undefined ? {} : { onSuccess }),
  };
  return defineConfig(options);
}
