// One upload handler in its own process: bare (busboy, bytes dropped) or cairn (ingest on files).
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { createHeaders } from '@cairn/events';
import { parseRoute } from '@cairn/ingest';
import { acceptUpload, UploadQueue } from '@cairn/ingest/experimental';
import { hashContent, readMultipart } from '@cairn/node-runtime';
import { createViewer } from '@cairn/security';
import { openFileBlobStore, openFileEventLog } from '@cairn/storage-fs';
import busboy from 'busboy';

function bareHandler() {
  return (request, response) => {
    const parser = busboy({ headers: request.headers });
    parser.on('file', (_name, stream) => stream.resume());
    pipeline(request, parser, (error) => {
      response.statusCode = error ? 400 : 202;
      response.end('{}');
    });
  };
}

async function cairnHandler() {
  const directory = mkdtempSync(path.join(tmpdir(), 'cairn-bench-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  const log = await openFileEventLog({ directory: path.join(directory, 'log') });
  const blobs = await openFileBlobStore({ directory: path.join(directory, 'blobs') });
  const route = parseRoute({ name: 'bench', topic: 'native', namespace: 'urn:bench:' }, { file: 'bench' });
  const ports = { log, blobs, queue: new UploadQueue(), nextId: randomUUID, hash: hashContent };
  const viewer = createViewer({ attributes: {} });
  return async (request, response) => {
    try {
      const headers = createHeaders({ 'Security-Label': request.headers['security-label'] });
      const outcome = await acceptUpload({ route, headers, parts: readMultipart(request), viewer }, ports);
      response.statusCode = outcome.successful ? 202 : 400;
      response.end(JSON.stringify({ documents: outcome.documents }));
    } catch (error) {
      console.error(error);
      response.statusCode = 500;
      response.end();
    }
  };
}

const handler = process.argv[2] === 'bare' ? bareHandler() : await cairnHandler();
const server = createServer(handler).listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
