import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface BuildInfo {
  /** The git revision, `unknown` outside a build. */
  readonly revision: string;
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly timestamp: string;
  /** Description of where it was built. */
  readonly environment: string;
  /** Versions of our packages, by name without scope. */
  readonly versions: Readonly<Record<string, string>>;
}

const UNBUILT: BuildInfo = {
  revision: 'unknown',
  timestamp: '1970-01-01 00:00:00',
  environment: 'source',
  versions: {},
};

/** The facts that the build wrote beside the code; without a build, placeholders. */
export function readBuildInfo(directory: string = import.meta.dirname): BuildInfo {
  try {
    return JSON.parse(readFileSync(path.join(directory, 'build-info.json'), 'utf8')) as BuildInfo;
  } catch {
    return UNBUILT;
  }
}
