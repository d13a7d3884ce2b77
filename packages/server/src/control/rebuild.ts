import { CodedError } from '@cairn/errors';
import type { Service } from '../composition/service.ts';
import type { Operation, OperationArguments, OperationLine } from './operation.ts';

/** `rebuild`: fills a cache anew from the log while the old one goes on answering. */
export const rebuild: Operation = { name: 'rebuild', run: rebuildCache };

interface Progress {
  readonly done: number;
  readonly total: number;
}

const BAR_WIDTH = 30;

async function* rebuildCache(
  service: Service,
  args: OperationArguments,
  signal: AbortSignal,
): AsyncGenerator<OperationLine> {
  const cache = String(args['cache']);
  const known = ['search', ...service.datasets.keys()];
  if (!known.includes(cache)) {
    throw new CodedError({
      code: 'ERR_USAGE',
      kind: 'invalid',
      message: `the cache must be one of ${known.join(', ')}`,
    });
  }
  const progress: { last: Progress; wake: () => void } = { last: { done: 0, total: 0 }, wake: () => undefined };
  const onProgress = (last: Progress): void => {
    progress.last = last;
    progress.wake();
  };
  let isDone = false;
  const done = service.rebuild(cache, { onProgress, signal }).finally(() => {
    isDone = true;
    progress.wake();
  });
  done.catch(() => undefined);
  while (!isDone) {
    await new Promise<void>((resolve) => {
      progress.wake = resolve;
    });
    if (!isDone) yield { type: 'progress', text: toBar(progress.last) };
  }
  await done;
  yield { type: 'result', text: `rebuilt ${cache} from ${progress.last.done} events` };
}

function toBar({ done, total }: Progress): string {
  const filled = total === 0 ? 0 : Math.round((done / total) * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${done}/${total}`;
}
