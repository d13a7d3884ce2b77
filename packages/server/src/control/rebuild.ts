import { type Operation, usageError } from './operation.ts';

interface Progress {
  readonly done: number;
  readonly total: number;
}

const BAR_WIDTH = 30;

/** `rebuild`: fills a cache anew from the log while the old one goes on answering. */
export const rebuild: Operation = {
  name: 'rebuild',
  async *run(service, args, signal) {
    const cache = String(args['cache']);
    const known = ['search', ...service.datasets.keys()];
    if (!known.includes(cache)) throw usageError(`the cache must be one of ${known.join(', ')}`);
    let last: Progress = { done: 0, total: 0 };
    let wake = (): void => undefined;
    let isDone = false;
    const onProgress = (progress: Progress): void => {
      last = progress;
      wake();
    };
    const done = service.rebuild(cache, { onProgress, signal }).finally(() => {
      isDone = true;
      wake();
    });
    done.catch(() => undefined);
    while (!isDone) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (!isDone) yield { type: 'progress', text: toBar(last) };
    }
    await done;
    yield { type: 'result', text: `rebuilt ${cache} from ${last.done} events` };
  },
};

function toBar({ done, total }: Progress): string {
  const filled = total === 0 ? 0 : Math.round((done / total) * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${done}/${total}`;
}
