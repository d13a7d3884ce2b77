import type { UploadPart } from '../port/upload-part.ts';

/** Files as an upload brings them: name to content, in chunks of a few bytes. */
export async function* toParts(
  files: Readonly<Record<string, string | Uint8Array>>,
  chunkBytes = 1024,
): AsyncGenerator<UploadPart, void, undefined> {
  for (const [filename, content] of Object.entries(files)) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    yield { filename, declaredType: undefined, content: chunksOf(bytes, chunkBytes) };
  }
}

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
