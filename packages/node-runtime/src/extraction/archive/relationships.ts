import { posix } from 'node:path';
import type { ZipArchive } from './zip.ts';

/** A part that another part of an office document points to (ECMA-376, part 2, 9.3). */
export interface Relationship {
  readonly id: string;
  /** The last segment of the relationship's type: `slide`, `footnotes`. */
  readonly type: string;
  /** The target's name in the archive. */
  readonly target: string;
}

/** The parts inside the archive that a part points to, in the order of the file; `''` stands for the document itself. */
export async function readRelationships(archive: ZipArchive, part: string): Promise<Relationship[]> {
  const folder = posix.dirname(part);
  const found: Relationship[] = [];
  await archive.parse(posix.join(folder, '_rels', `${posix.basename(part)}.rels`), {
    open: (element) => {
      const target = element.attribute('Target');
      if (element.local !== 'Relationship' || target === undefined) return;
      if (element.attribute('TargetMode') === 'External') return;
      found.push({
        id: element.attribute('Id') ?? '',
        type: posix.basename(element.attribute('Type') ?? ''),
        target: resolvePart(folder, target),
      });
    },
  });
  return found;
}

/** The name in the archive of a target seen from a folder. */
export function resolvePart(folder: string, target: string): string {
  return posix.join('/', target.startsWith('/') ? '' : folder, target).slice(1);
}
