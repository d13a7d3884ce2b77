// The peer: a bare node:http handler that answers the same bytes. The parent sends them by path.
import { createServer } from 'node:http';

const answers = new Map();
const server = createServer((request, response) => {
  const { type, body } = answers.get(request.url);
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Length', body.length);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', (message) => {
  if (message === 'cpu') return process.send({ cpu: process.cpuUsage() });
  answers.set(message.path, { type: message.type, body: Buffer.from(message.body, 'base64') });
  process.send({ stored: message.path });
});
