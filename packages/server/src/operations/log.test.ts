import { closeSync, existsSync, openSync } from 'node:fs';
import { CodedError } from '@cairn/errors';
import { type Logger, pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { tokenInvalid } from '../auth/errors.ts';
import type { RequestRecord } from '../routing/observer.ts';
import type { Loose } from '../testing/server.ts';
import { createLogger, openDestination, requestLog } from './log.ts';
import { projectorLog } from './projector-log.ts';

function collect(): { readonly logger: Logger; readonly lines: Loose[] } {
  const lines: Loose[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { logger, lines };
}

const [WARN, ERROR] = [40, 50];
const refused: RequestRecord = {
  requestId: 'r',
  method: 'GET',
  operation: 'search',
  status: 401,
  durationMs: 1,
  userName: undefined,
  error: tokenInvalid('it has expired'),
};

describe('the log of requests', () => {
  it('says why somebody was not let in, at most ten times a second, and how many were passed over', () => {
    const { logger, lines } = collect();
    let clock = 0;
    const log = requestLog(logger, 5_000, () => clock);
    for (let n = 0; n < 25; n++) log.observe(refused);
    expect(lines).toHaveLength(10);
    expect(lines[0]).toMatchObject({
      level: WARN,
      msg: 'not let in',
      status: 401,
      code: 'ERR_TOKEN_INVALID',
      reason: 'the token is invalid: it has expired',
    });
    clock = 1_000;
    log.observe(refused);
    log.observe(refused);
    expect(lines.slice(10).map(({ passedOver }) => passedOver)).toEqual([15, undefined]);
  });

  it('says nothing of what went well, or was the fault of who asked', () => {
    const { logger, lines } = collect();
    const log = requestLog(logger, 5_000, () => 0);
    for (const status of [200, 400, 403, 404, 413]) log.observe({ ...refused, status, error: undefined });
    expect(lines).toEqual([]);
  });
});

describe('the log of projectors', () => {
  it('has dead letters and first failures as warnings; damage, failures and what lasts as errors', () => {
    const { logger, lines } = collect();
    const log = projectorLog(logger);
    const name = { topic: 't', group: 'g' };
    const error = (kind: 'corrupt' | 'unavailable'): CodedError =>
      new CodedError({ code: 'ERR_X', kind, message: `it is ${kind}` });
    log({ ...name, type: 'dead-letter', position: '7', error: error('unavailable') });
    log({ ...name, type: 'stalled', error: error('unavailable') });
    log({ ...name, type: 'stalled', error: error('corrupt') });
    log({ ...name, type: 'resumed', stalledMs: 1234.5 });
    log({ ...name, type: 'failed', error: new Error('no way on') });
    log({ ...name, type: 'stands-still', error: new Error('EIO') });
    expect(lines.map(({ level, reason, position, stalledMs }) => [level, reason, position, stalledMs])).toEqual([
      [WARN, 'it is unavailable', '7', undefined],
      [WARN, 'it is unavailable', undefined, undefined],
      [ERROR, 'it is corrupt', undefined, undefined],
      [WARN, undefined, undefined, 1235],
      [ERROR, 'no way on', undefined, undefined],
      [ERROR, 'EIO', undefined, undefined],
    ]);
    expect(lines.every(({ topic, group }) => topic === 't' && group === 'g')).toBe(true);
  });
});

it.runIf(existsSync('/dev/full'))('goes on when there is no room for its lines', async () => {
  const full = openSync('/dev/full', 'w');
  const logger = createLogger('error', openDestination(full));
  for (let line = 0; line < 3; line++) logger.error('lost');
  await new Promise((resolve) => setImmediate(resolve));
  closeSync(full);
});
