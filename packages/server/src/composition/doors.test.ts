import { type Door, doorFaults } from '@cairn/errors/conformance';
import { describe, expect, it } from 'vitest';
import { createServer } from './create-server.ts';

const DOORS: readonly Door[] = [
  ['createServer', (wrong) => createServer(wrong), ['object', 'undefined']],
  ['createServer, configuration', (configuration) => createServer({ configuration }), ['object', 'undefined']],
  ['createServer, dataDirectory', (dataDirectory) => createServer({ dataDirectory }), ['text', 'undefined']],
  ['createServer, adapters', (adapters) => createServer({ adapters }), ['object', 'undefined']],
  ['createServer, logTo', (logTo) => createServer({ logTo }), ['undefined']],
];

describe('a door of the server', () => {
  it.each(DOORS)('%s refuses what it cannot use, with a code', async (_name, call, right) => {
    expect(await doorFaults(call, right)).toEqual([]);
  });
});
