import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { WorkerPool, type WorkerPoolOptions } from './pool.ts';
import type { TestTask } from './testing/worker.ts';
import { locateWorkerFile } from './worker-file.ts';

const pools: WorkerPool<TestTask, unknown>[] = [];
const url = locateWorkerFile('worker-pool/testing/worker.js');

function openPool(options: Partial<WorkerPoolOptions> = {}): WorkerPool<TestTask, unknown> {
  const pool = new WorkerPool<TestTask, unknown>({ url, workers: 1, ...options });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

describe('a worker pool', () => {
  it('answers every task with its own result', async () => {
    const pool = openPool({ workers: 2 });
    const values = Array.from({ length: 50 }, (_, index) => index);
    expect(await Promise.all(values.map((value) => pool.run({ do: 'echo', value })))).toEqual(values);
  });

  it.each([
    [{ workers: 0 }, 'workers must be a number of 1 or more; got 0'],
    [{ workers: Number('many') }, 'workers must be a number of 1 or more; got NaN'],
    [{ memoryMb: 0 }, 'memoryMb must be a number of 1 or more; got 0'],
    [{ timeLimitMs: -1 }, 'timeLimitMs must be a number of 0 or more; got -1'],
    [{ maxQueued: JSON.parse('"10"') as number }, 'maxQueued must be a number of 0 or more; got a string'],
  ])('refuses %j, with which tasks would wait for ever or have no limit', async (options, message) => {
    const refused = expect.objectContaining({ code: 'ERR_CONFIGURATION', kind: 'invalid', message });
    expect(() => openPool(options)).toThrow(refused);
  });

  it('takes a limit of time that no timer can count for none', async () => {
    for (const timeLimitMs of [Number.POSITIVE_INFINITY, 2 ** 40]) {
      expect(await openPool({ timeLimitMs }).run({ do: 'echo', value: 1 })).toBe(1);
      expect(await openPool().run({ do: 'echo', value: 2 }, { timeLimitMs })).toBe(2);
    }
    await expect(openPool().run({ do: 'echo', value: 3 }, { timeLimitMs: Number.NaN })).rejects.toMatchObject({
      code: 'ERR_CONFIGURATION',
    });
  });

  it('moves what is to be transferred', async () => {
    const value = new Uint8Array([1, 2, 3]);
    expect(await openPool().run({ do: 'echo', value }, { transfer: [value.buffer] })).toEqual(
      new Uint8Array([1, 2, 3]),
    );
    expect(value).toHaveLength(0);
  });

  it.each<[TestTask, object]>([
    [{ do: 'spin' }, { code: 'ERR_WORKER_TIME', kind: 'timeout', message: expect.stringContaining('200 ms') }],
    [
      { do: 'fill-memory' },
      { code: 'ERR_WORKER_MEMORY', kind: 'exhausted', message: expect.stringContaining('32 MiB') },
    ],
    [{ do: 'exit' }, { code: 'ERR_WORKER_DIED', kind: 'internal' }],
    [{ do: 'throw' }, { code: 'ERR_WORKER_TASK', kind: 'internal', message: expect.stringContaining('not like this') }],
    [{ do: 'refuse' }, { code: 'ERR_TEST', kind: 'unsupported', message: 'refused', expected: ['a', 'b'] }],
  ])('fails %o alone and goes on', async (task, error) => {
    const pool = openPool({ memoryMb: 32 });
    const failing = pool.run(task, { timeLimitMs: task.do === 'spin' ? 200 : 30_000 });
    const next = pool.run({ do: 'echo', value: 'next' });
    await expect(failing).rejects.toMatchObject(error);
    expect(await next).toBe('next');
  });

  it.each([
    ['is missing', './none.js'],
    ['throws', 'data:text/javascript,throw new Error("not here")'],
    ['ends', 'data:text/javascript,process.exit(0)'],
  ])('says that no worker came to be when its file %s, which is no fault of the tasks', async (_, file) => {
    const pool = openPool({ url: new URL(file, url) });
    const error = { code: 'ERR_WORKER_START', kind: 'unavailable', retryable: true };
    const tasks = [pool.run({ do: 'echo', value: 1 }), pool.run({ do: 'echo', value: 2 })];
    expect(await Promise.allSettled(tasks)).toMatchObject([{ reason: error }, { reason: error }]);
  });

  it('replaces a worker that crashes while idle', async () => {
    const pool = openPool();
    const gone = new Promise((resolve) => {
      process.once('worker', (worker) => worker.once('exit', resolve));
    });
    expect(await pool.run({ do: 'crash-later' })).toBe('answered');
    await gone;
    expect(await pool.run({ do: 'echo', value: 1 })).toBe(1);
  });

  it('rejects a task that cannot be sent', async () => {
    const pool = openPool();
    await expect(pool.run({ do: 'echo', value: () => 1 })).rejects.toThrow('could not be cloned');
    expect(await pool.run({ do: 'echo', value: 1 })).toBe(1);
  });

  it('refuses a task when too many wait', async () => {
    const pool = openPool({ maxQueued: 1 });
    const running = pool.run({ do: 'sleep', ms: 20 });
    const waiting = pool.run({ do: 'echo', value: 1 });
    await expect(pool.run({ do: 'echo', value: 2 })).rejects.toMatchObject({
      code: 'ERR_WORKER_QUEUE',
      kind: 'overloaded',
    });
    expect([await running, await waiting]).toEqual(['slept', 1]);
  });

  it('withdraws tasks before, while and after they wait', async () => {
    const pool = openPool();
    const controller = new AbortController();
    const { signal } = controller;
    const running = pool.run({ do: 'spin' }, { signal });
    const waiting = pool.run({ do: 'echo', value: 1 }, { signal });
    const other = pool.run({ do: 'echo', value: 2 });
    controller.abort();
    const cancelled = { code: 'ERR_CANCELLED', kind: 'cancelled' };
    await expect(running).rejects.toMatchObject(cancelled);
    await expect(waiting).rejects.toMatchObject(cancelled);
    await expect(pool.run({ do: 'echo', value: 3 }, { signal })).rejects.toMatchObject(cancelled);
    expect(await other).toBe(2);
  });

  it('fails what it has when closed, and what comes later', async () => {
    const pool = openPool();
    const open = [pool.run({ do: 'spin' }), pool.run({ do: 'echo', value: 1 })];
    const outcomes = Promise.allSettled(open);
    await pool.close();
    const closed = { code: 'ERR_WORKER_CLOSED', kind: 'unavailable' };
    expect(await outcomes).toMatchObject([{ reason: closed }, { reason: closed }]);
    await expect(pool.run({ do: 'echo', value: 1 })).rejects.toMatchObject(closed);
    await pool.close();
  });

  it('hands no environment down', async () => {
    expect(await openPool().run({ do: 'environment' })).toEqual({});
  });

  it('lets the process end while idle and keeps it while busy', async () => {
    const built = locateWorkerFile('worker-pool/testing/pool.js');
    const script = `
      import { WorkerPool } from ${JSON.stringify(built.href)};
      const pool = new WorkerPool({ url: new URL(${JSON.stringify(url.href)}), workers: 1 });
      console.log(await pool.run({ do: 'sleep', ms: 50 }));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      timeout: 20_000,
    });
    expect(stdout).toBe('slept\n');
  });
});

describe('locateWorkerFile', () => {
  it('says what to do when the file is not built', () => {
    expect(() => locateWorkerFile('none.js')).toThrow(expect.objectContaining({ code: 'ERR_WORKER_MISSING' }));
  });
});
