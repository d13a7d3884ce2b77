import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { CodedError } from '@cairn/errors';
import { mediaTypeOfFile, RDF_FORMATS } from '@cairn/rdf-graph';
import { usageError } from './operation.ts';

export interface RdfFile {
  readonly name: string;
  readonly contentType: string;
  readonly isCompressed: boolean;
}

/** Most bytes in a compressed file; as for a document of RDF. */
const MAX_BYTES = 2 ** 30;
const GZIP = /\.gz$/i;
const unzip = promisify(gunzip);

/**
 * The files that some paths name, in their order: a file is itself; a folder stands for the files of RDF in it and below,
 * by name, hidden ones left out. `.gz` is looked through.
 * @throws `ERR_USAGE` (invalid) for a path that is not there, a file that is no RDF, or a folder without any
 */
export async function listRdfFiles(paths: readonly string[]): Promise<RdfFile[]> {
  const files: RdfFile[] = [];
  for (const name of paths) {
    const found = await stat(path.resolve(name)).catch((cause: NodeJS.ErrnoException) => {
      throw unreadable(name, cause);
    });
    if (found.isDirectory()) files.push(...(await filesBelow(name)));
    else files.push(rdfFile(name, rdfTypeOfFile(withoutGzip(name))));
  }
  return files;
}

async function filesBelow(directory: string): Promise<RdfFile[]> {
  const entries = await readdir(path.resolve(directory), { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(path.resolve(directory), path.join(entry.parentPath, entry.name)))
    .filter((name) => !name.split(path.sep).some((part) => part.startsWith('.')))
    .sort();
  const files = names.flatMap((name) => {
    const contentType = mediaTypeOfFile(withoutGzip(name));
    return contentType === undefined ? [] : [rdfFile(path.join(directory, name), contentType)];
  });
  if (files.length === 0) throw usageError(`${directory} holds no file of RDF`);
  return files;
}

/** The RDF in a file. @throws `ERR_USAGE` (invalid) when it cannot be read, `ERR_RDF_TOO_LARGE` (too-large) */
export async function readRdfFile({ name, isCompressed }: RdfFile): Promise<Uint8Array> {
  const bytes = await readFile(path.resolve(name)).catch((cause: NodeJS.ErrnoException) => {
    throw unreadable(name, cause);
  });
  if (!isCompressed) return bytes;
  try {
    return await unzip(bytes, { maxOutputLength: MAX_BYTES });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw unreadable(name, cause as Error);
    const message = `an unpacked file must be at most ${MAX_BYTES} bytes; got more`;
    throw new CodedError({ code: 'ERR_RDF_TOO_LARGE', kind: 'too-large', message, cause });
  }
}

/** The media type of an RDF file by its extension. @throws `ERR_USAGE` (invalid) for an extension that is no RDF. */
export function rdfTypeOfFile(file: string): string {
  const type = mediaTypeOfFile(file);
  if (type !== undefined) return type;
  const known = [...RDF_FORMATS.flatMap(({ extensions }) => extensions), '.rdfp'].join(', ');
  throw usageError(`${file} must end in one of ${known}`);
}

function rdfFile(name: string, contentType: string): RdfFile {
  return { name, contentType, isCompressed: GZIP.test(name) };
}

function withoutGzip(name: string): string {
  return name.replace(GZIP, '');
}

function unreadable(name: string, cause: NodeJS.ErrnoException): CodedError {
  return usageError(`${name} cannot be read (${cause.code ?? cause.message})`, cause);
}
