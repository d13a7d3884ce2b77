// A lean HTTP client: keep-alive sockets, one request at a time on each, as little work as a client can do.
import { connect } from 'node:net';

/** Sends the same request over and over for some seconds; resolves with how many answers came. */
export async function hammer(port, request, { seconds, connections }) {
  const until = performance.now() + seconds * 1000;
  const counts = await Promise.all(Array.from({ length: connections }, () => hammerOne(port, request, until)));
  return counts.reduce((sum, count) => sum + count, 0);
}

function hammerOne(port, request, until) {
  return new Promise((resolve, reject) => {
    let count = 0;
    let received = Buffer.alloc(0);
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const end = endOfAnswer(received);
      if (end === undefined) return;
      received = received.subarray(end);
      count += 1;
      if (performance.now() < until) socket.write(request);
      else socket.end(() => resolve(count));
    });
  });
}

/** Where the first answer in the bytes ends; `undefined` while it is not whole. */
function endOfAnswer(bytes) {
  const head = bytes.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const headers = bytes.toString('latin1', 0, head);
  if (!headers.startsWith('HTTP/1.1 200')) throw new Error(headers);
  const length = /\r\ncontent-length: (\d+)/i.exec(headers)?.[1];
  if (length === undefined) throw new Error(`an answer without a length: ${headers}`);
  const end = head + 4 + Number(length);
  return bytes.length >= end ? end : undefined;
}
