import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type AnyArgument, type Door, doorFaults, rereadingFaults } from '@cairn/errors/conformance';
import { createEvent } from '@cairn/events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as doors from './index.ts';

const { checkBlobFiles, checkLogFiles, openFileBlobStore, openFileEventLog, readLogCuts, repairFileEventLog } = doors;

let log: Awaited<ReturnType<typeof openFileEventLog>>;
let blobs: Awaited<ReturnType<typeof openFileBlobStore>>;
const directory = mkdtempSync(path.join(tmpdir(), 'cairn-doors-'));
beforeAll(async () => {
  log = await openFileEventLog({ directory: path.join(directory, 'log') });
  blobs = await openFileBlobStore({ directory: path.join(directory, 'blobs') });
});
afterAll(async () => {
  await log.close();
  await blobs.close();
  rmSync(directory, { recursive: true, force: true });
});

const event = createEvent({ id: 'e', type: 't', value: 'x' });

/** A folder of its own for each text that names one, so that nothing is made elsewhere. */
const folderOf = (wrong: AnyArgument): AnyArgument =>
  wrong === 'text' ? mkdtempSync(path.join(directory, 'opened-')) : wrong;
const openLog = async (options: AnyArgument) => (await openFileEventLog(options)).close();
const openLogWith = (more: AnyArgument) => openLog({ directory: folderOf('text'), ...more });
const openBlobs = async (options: AnyArgument) => (await openFileBlobStore(options)).close();
const readLog = (options: AnyArgument) => log.read('topic', options);

const DOORS: readonly Door[] = [
  ['openFileEventLog', openLog, []],
  ['openFileEventLog, directory', (wrong) => openLog({ directory: folderOf(wrong) }), ['text']],
  ['openFileEventLog, segmentBytes', (segmentBytes) => openLogWith({ segmentBytes }), ['undefined']],
  ['openFileEventLog, maxEventBytes', (maxEventBytes) => openLogWith({ maxEventBytes }), ['undefined', 'number']],
  ['openFileEventLog, nowMs', (nowMs) => openLogWith({ nowMs }), ['undefined', 'function']],
  ['openFileEventLog, fsync', (fsync) => openLogWith({ fsync }), ['undefined', 'boolean']],
  ['openFileEventLog, retention', (retention) => openLogWith({ retention }), ['undefined', 'object']],
  ['openFileEventLog, fileSystem', (fileSystem) => openLogWith({ fileSystem }), ['undefined']],
  ['openFileBlobStore', openBlobs, []],
  ['openFileBlobStore, directory', (wrong) => openBlobs({ directory: folderOf(wrong) }), ['text']],
  [
    'openFileBlobStore, fileSystem',
    (fileSystem) => openBlobs({ directory: folderOf('text'), fileSystem }),
    ['undefined'],
  ],
  ['readLogCuts', (wrong) => readLogCuts(folderOf(wrong)), ['text']],
  ['readLogCuts, fileSystem', (fileSystem) => readLogCuts(folderOf('text'), fileSystem), ['undefined']],
  ['checkLogFiles', (wrong) => checkLogFiles(wrong), []],
  ['checkLogFiles, directory', (wrong) => checkLogFiles({ directory: folderOf(wrong) }), ['text']],
  ['checkLogFiles, visit', (visit) => checkLogFiles({ directory: folderOf('text'), visit }), ['undefined', 'function']],
  ['checkBlobFiles', (wrong) => checkBlobFiles(wrong), []],
  ['checkBlobFiles, directory', (wrong) => checkBlobFiles({ directory: folderOf(wrong) }), ['text']],
  ['repairFileEventLog', (wrong) => repairFileEventLog(wrong), []],
  ['repairFileEventLog, directory', (wrong) => repairFileEventLog({ directory: folderOf(wrong) }), ['text']],
  [
    'repairFileEventLog, nowMs',
    (nowMs) => repairFileEventLog({ directory: folderOf('text'), nowMs }),
    ['undefined', 'function'],
  ],
  ['read', (wrong) => readLog(wrong), ['undefined', 'object']],
  ['read, topic', (wrong) => log.read(wrong), ['text']],
  ['read, after', (after) => readLog({ after }), ['undefined']],
  ['read, signal', (signal) => readLog({ signal }), ['undefined']],
  ['read, maxBatchEvents', (maxBatchEvents) => readLog({ maxBatchEvents }), ['undefined', 'number']],
  ['eventAt', (wrong) => log.eventAt?.('topic', wrong), []],
  ['lag', (wrong) => log.lag('topic', wrong), ['undefined']],
  ['committed, group', (wrong) => log.committed(wrong, 'topic'), ['text']],
  ['check', (wrong) => log.check(wrong), ['undefined', 'object']],
  ['applyRetention', (wrong) => log.applyRetention(wrong), ['undefined', 'object']],
  ['applyRetention, maxBytes', (maxBytes) => log.applyRetention({ maxBytes }), ['undefined', 'number']],
  ['applyRetention, maxAgeMs', (maxAgeMs) => log.applyRetention({ maxAgeMs }), ['undefined', 'number']],
  ['applyRetention, unread', (unread) => log.applyRetention({ unread }), ['undefined']],
  ['eraseValues', (wrong) => log.eraseValues('other', wrong), ['function']],
  ['put, options', (wrong) => blobs.put('a', new Uint8Array(1), wrong), ['undefined', 'object']],
  ['put, signal', (signal) => blobs.put('a', new Uint8Array(1), { signal }), ['undefined']],
  ['putContent, prefix', (wrong) => blobs.putContent(wrong, new Uint8Array(1)), ['text']],
  ['putContent, options', (wrong) => blobs.putContent('a', new Uint8Array(1), wrong), ['undefined', 'object']],
  ['get, range', (wrong) => blobs.get('name', wrong), ['undefined', 'object']],
  ['stream, range', (wrong) => blobs.stream('name', wrong), ['undefined', 'object']],
  ['list', (wrong) => blobs.list(wrong), ['text', 'undefined']],
  ['readManifest', (wrong) => blobs.readManifest(wrong), ['text']],
  ['setAside', (wrong) => blobs.setAside(wrong, 'aside'), ['text']],
  ['setAside, as', (wrong) => blobs.setAside('none', wrong), ['text']],
  ['append, topic', (wrong) => log.append(wrong, [event]), ['text']],
  ['append', (wrong) => log.append('topic', wrong), ['list']],
  ['append, an event', (wrong) => log.append('topic', [wrong]), []],
  ['append, its value', (value) => log.append('topic', [{ ...event, value }]), []],
  ['append, its headers', (headers) => log.append('topic', [{ ...event, headers }]), []],
  ['append, its key', (key) => log.append('topic', [{ ...event, key }]), ['text', 'undefined']],
  ['end', (wrong) => log.end(wrong), ['text']],
  ['commit, group', (wrong) => log.commit(wrong, 'topic', '0000000000000000'), ['text']],
  ['commit, position', (wrong) => log.commit('group', 'topic', wrong), []],
  ['put', (wrong) => blobs.put('name', wrong), []],
  ['put, name', (wrong) => blobs.put(wrong, new Uint8Array(1)), ['text']],
  ['putContent', (wrong) => blobs.putContent('prefix/', wrong), []],
  ['get', (wrong) => blobs.get(wrong), ['text']],
  ['delete', (wrong) => blobs.delete(wrong), ['text']],
  ['replaceManifest', (wrong) => blobs.replaceManifest('name', wrong), []],
];

describe('a door of this package', () => {
  it.each(DOORS)('%s refuses what it cannot use, with a code', async (_name, call, right) => {
    expect(await doorFaults(call, right)).toEqual([]);
  });

  it('has a row for each function', () => {
    const names = new Set(DOORS.map(([name]) => /^\w+/.exec(name)?.[0]));
    const functions = Object.entries(doors).filter(([, value]) => typeof value === 'function');
    expect(functions.map(([name]) => name).filter((name) => !names.has(name))).toEqual([]);
  });

  it('gives no check that is empty in silence when it is read again', async () => {
    const lost = mkdtempSync(path.join(directory, 'lost-'));
    const own = await openFileEventLog({ directory: lost });
    await own.append('topic', [event]);
    await own.close();
    writeFileSync(path.join(lost, 'offsets'), 'nonsense');
    expect(await rereadingFaults(() => checkLogFiles({ directory: lost }))).toEqual([]);
    await blobs.put('a', new Uint8Array(1));
    expect(await rereadingFaults(() => checkBlobFiles({ directory: path.join(directory, 'blobs') }))).toEqual([]);
  });

  it('refuses a folder without a name, and one that is a file, with a code', async () => {
    await expect(openLog({ directory: '' })).rejects.toMatchObject({ code: 'ERR_ARGUMENT', kind: 'invalid' });
    await expect(openBlobs({ directory: '' })).rejects.toMatchObject({ code: 'ERR_ARGUMENT', kind: 'invalid' });
    const file = path.join(directory, 'file');
    writeFileSync(file, '');
    for (const taken of [file, path.join(file, 'below'), `${directory}/nul\0`]) {
      await expect(openLog({ directory: taken }), taken).rejects.toMatchObject({ code: 'ERR_LOG_OPEN' });
      await expect(openBlobs({ directory: taken }), taken).rejects.toMatchObject({
        code: 'ERR_BLOB_OPEN',
        kind: 'unavailable',
        message: expect.stringContaining(taken),
      });
    }
  });
});
