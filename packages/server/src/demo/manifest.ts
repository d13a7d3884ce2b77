import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CodedError } from '@cairn/errors';
import { z } from 'zod';
import { usageError } from '../control/operation.ts';

/** One file of a demo set, and the label it comes with. */
interface DemoFile {
  readonly file: string;
  readonly label: string;
}

/** Contents of a demo set; every path is relative to its directory. */
export interface DemoManifest {
  readonly ontology: readonly DemoFile[];
  readonly knowledge: readonly DemoFile[];
  readonly documents: readonly (DemoFile & { readonly route: string })[];
}

const file = z.object({ file: z.string().min(1), label: z.string().min(1) });
const schema: z.ZodType<DemoManifest> = z.object({
  ontology: z.array(file).default([]),
  knowledge: z.array(file).default([]),
  documents: z.array(file.extend({ route: z.string().min(1) })).default([]),
});

export const DEMO_CONFIGURATION = 'cairn.yaml';
const MANIFEST = 'manifest.json';

/** Where the demo set of the project is when it was cloned: beside the packages. */
export function projectDemoDirectory(from: string = import.meta.dirname): string | undefined {
  for (let directory = from; ; directory = path.dirname(directory)) {
    const candidate = path.join(directory, 'test-fixtures', 'apollo');
    if (existsSync(path.join(candidate, MANIFEST))) return candidate;
    if (directory === path.dirname(directory)) return undefined;
  }
}

/** Checks that a directory is a demo set. @throws `ERR_USAGE` (invalid) saying where it was looked for. */
export function requireDemoDirectory(named: string | undefined): string {
  const directory = named === undefined ? projectDemoDirectory() : path.resolve(named);
  if (directory !== undefined && existsSync(path.join(directory, MANIFEST))) return directory;
  const where = named === undefined ? 'in test-fixtures/apollo of the project' : `in ${directory}`;
  throw usageError(
    `--demo found no demo set (${MANIFEST}) ${where}; an installed package has none: name its directory with --demo-directory`,
  );
}

/** Reads the manifest of a demo set. @throws `ERR_DEMO` (invalid), naming what is wrong. */
export function readManifest(directory: string): DemoManifest {
  const source = path.join(directory, MANIFEST);
  const result = schema.safeParse(JSON.parse(readFileSync(source, 'utf8')));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const message = `${source}: ${issue?.path.join('.')}: ${issue?.message}`;
  throw new CodedError({ code: 'ERR_DEMO', kind: 'invalid', message });
}
