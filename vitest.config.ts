import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const conditions = ['@cairn/source', 'module', 'node', 'import', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'examples/**/*.test.ts', 'scripts/**/*.test.ts', 'docs/**/*.test.ts'],
    // For what hangs: a busy machine is no fault of a test.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'forks',
    // By default all cores but one: a machine of two would run the files one after the other.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
