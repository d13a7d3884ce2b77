// Uploads per second and MB/s over HTTP: accepted by ingest on files, against a bare busboy handler that drops the bytes.
import { fork } from 'node:child_process';
import { request } from 'node:http';
import path from 'node:path';

const SIZES = [
  { name: '10 kB', bytes: 10_000, uploads: 2000 },
  { name: '1 MB', bytes: 1_000_000, uploads: 200 },
  { name: '20 MB', bytes: 20_000_000, uploads: 20 },
];
const CONNECTIONS = 8;

/** Starts a handler in its own process and gives its port. */
async function startHandler(kind) {
  const child = fork(path.join(import.meta.dirname, 'handler.mjs'), [kind]);
  const port = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the ${kind} handler ended with ${code}`)));
  });
  return { port, stop: () => child.kill() };
}

function bodyOf(bytes, serial) {
  const head = `--b\r\nContent-Disposition: form-data; name="f"; filename="${serial}.bin"\r\n\r\n`;
  const content = Buffer.alloc(bytes, `${serial} `);
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--b--\r\n')]);
}

function upload(port, body) {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': body.length,
      'security-label': '*',
    };
    const sent = request({ port, host: '127.0.0.1', method: 'POST', headers }, (response) => {
      response.resume();
      response.on('end', () => (response.statusCode === 202 ? resolve() : reject(new Error(`${response.statusCode}`))));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function measure(port, { bytes, uploads }) {
  let next = 0;
  const start = performance.now();
  const work = async () => {
    while (next < uploads) await upload(port, bodyOf(bytes, next++));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  const seconds = (performance.now() - start) / 1000;
  return { perSecond: uploads / seconds, megabytesPerSecond: (uploads * bytes) / seconds / 1e6 };
}

/** Measures every size on both handlers and prints the ratios. */
export async function compareUploads() {
  const rows = {};
  const handlers = { bare: await startHandler('bare'), cairn: await startHandler('cairn') };
  try {
    for (const size of SIZES) {
      const bare = await measure(handlers.bare.port, size);
      const cairn = await measure(handlers.cairn.port, size);
      rows[size.name] = {
        'bare uploads/s': bare.perSecond.toFixed(0),
        'cairn uploads/s': cairn.perSecond.toFixed(0),
        'bare MB/s': bare.megabytesPerSecond.toFixed(1),
        'cairn MB/s': cairn.megabytesPerSecond.toFixed(1),
        ratio: (cairn.perSecond / bare.perSecond).toFixed(2),
      };
    }
  } finally {
    handlers.bare.stop();
    handlers.cairn.stop();
  }
  console.log(`uploads over HTTP, ${CONNECTIONS} at once; cairn is durable on disk, bare drops the bytes`);
  console.table(rows);
}
