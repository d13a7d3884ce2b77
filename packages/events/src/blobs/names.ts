import { CodedError } from '@cairn/errors';

/** Returns true if text can name a blob or manifest, by the rule of {@link BlobStore}. */
export function isBlobName(name: string): boolean {
  if (typeof name !== 'string' || !/^[A-Za-z0-9._/-]{1,200}$/.test(name)) return false;
  return name.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

/** @throws `ERR_BLOB_NAME` (invalid) for text that cannot name a blob or manifest */
export function checkBlobName(name: string): void {
  if (isBlobName(name)) return;
  throw new CodedError({
    code: 'ERR_BLOB_NAME',
    kind: 'invalid',
    message: `a blob name must be 1 to 200 characters of A-Z a-z 0-9 . _ - / without an empty, . or .. segment; got ${JSON.stringify(String(name).slice(0, 250))}`,
  });
}

export function blobsClosed(): CodedError {
  return new CodedError({
    code: 'ERR_BLOBS_CLOSED',
    kind: 'unavailable',
    message: 'the blob store is closed',
    retryable: false,
  });
}
