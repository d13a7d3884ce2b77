import { type Bomb, document } from './bomb.ts';

/** Uploads: multipart bodies, labels, and documents of each format. */
export const INGEST_BOMBS: readonly Bomb[] = [
  {
    name: 'a label nested 10,000 deep',
    request: () => document('a.txt', 'a', `${'('.repeat(10_000)}clearance=O${')'.repeat(10_000)}`),
    ends: ['400 ERR_UPLOAD_LABEL'],
  },
];
