import type { EnvelopeFormat } from '../files/envelope.ts';

export const MANIFEST: EnvelopeFormat = {
  magic: 'CAIRNMAN',
  version: 1,
  corrupt: 'ERR_BLOB_CORRUPT',
  newer: 'ERR_BLOB_VERSION',
};
