// A server in a process of its own whose log can be stalled: node stalling-server.mjs DATA CONFIGURATION.
// Sends {url, token}; then does as a message says ('stall', 'go on', 'look') and answers with a reading.
import { createServer } from '@cairn/server';
import { nodeFileSystem } from '@cairn/storage-fs/experimental';

const [dataDirectory, configuration] = process.argv.slice(2);
/** A path of the topic of uploads; a new segment is a draft first. */
const UPLOADS = /document\.extractrequest\b.*\.seg\b/;
const LOOK_EVERY_MS = 1_000;

let stalled = { promise: Promise.resolve(), end: () => {} };
/** True when an fsync waits for the log to go on. */
let isWaiting = false;

function stall() {
  let end = () => {};
  const promise = new Promise((resolve) => {
    end = resolve;
  });
  stalled = { promise, end };
  peak = 0;
}

/** The file system of the machine, but that an fsync of the topic of uploads waits while the log is stalled. */
const fileSystem = {
  ...nodeFileSystem,
  async open(path, mode) {
    const file = await nodeFileSystem.open(path, mode);
    return UPLOADS.test(path) ? stallable(file) : file;
  },
};

function stallable(file) {
  return {
    read: (buffer, position) => file.read(buffer, position),
    write: (bytes, position) => file.write(bytes, position),
    truncate: (sizeBytes) => file.truncate(sizeBytes),
    size: () => file.size(),
    close: () => file.close(),
    async sync() {
      isWaiting = true;
      await stalled.promise;
      isWaiting = false;
      await file.sync();
    },
  };
}

let peak = 0;
function look() {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  const live = heapUsed + external;
  peak = Math.max(peak, live);
  return { live, peak, isWaiting };
}

const server = createServer({ configuration: JSON.parse(configuration), dataDirectory, adapters: { fileSystem } });
const url = await server.start();
setInterval(look, LOOK_EVERY_MS);
process.on('message', (message) => {
  if (message === 'stall') stall();
  if (message === 'go on') stalled.end();
  process.send(look());
});
process.on('disconnect', () => process.exit());
process.send({ url, token: await server.issueToken('alice') });
