import { expect, it } from 'vitest';
import type { Service } from '../composition/service.ts';
import { type Loose, startTestServer, TEST_CONFIGURATION } from '../testing/server.ts';

it('an update says that it is durable only when it was appended, and that nothing was written when it was not', async () => {
  let service: Service | undefined;
  const configuration = {
    ...TEST_CONFIGURATION,
    server: { ...TEST_CONFIGURATION.server, logLevel: 'silent' as const },
    graph: { applyTimeoutMs: 100 },
  };
  const { update, get, server } = await startTestServer(configuration, undefined, undefined, async (opened) => {
    service = opened;
  });
  try {
    const { ingest } = service!;
    for (const projector of ingest.projectors) await projector.pause();
    const answers = await Promise.all(
      [0, 1, 2].map(async (n) => {
        const response = await update('alice', '*', `INSERT DATA { <urn:c${n}> <urn:p> 1 }`);
        const { code, detail } = (await response.json()) as Loose;
        return {
          subject: `urn:c${n}`,
          status: response.status,
          retry: response.headers.get('retry-after'),
          code,
          detail,
        };
      }),
    );
    const [kept, ...others] = answers.sort((a, b) => String(b.code).localeCompare(String(a.code)));
    const durable = expect.stringMatching(/; what was written is durable and will be applied$/);
    expect(kept).toMatchObject({ status: 503, retry: null, code: 'ERR_PROJECTION_TIMEOUT', detail: durable });
    const unwritten = expect.stringMatching(/; nothing was written$/);
    for (const other of others) {
      expect(other).toMatchObject({ status: 503, retry: '1', code: 'ERR_PROJECTION_BEHIND', detail: unwritten });
    }
    for (const projector of ingest.projectors) projector.resume();
    await ingest.settle();
    const { results } = await get(
      'dieter',
      '/api/graph/knowledge/query?query=SELECT%20%3Fs%20%7B%3Fs%20%3Fp%20%3Fo%7D',
    );
    expect(results.bindings.map(({ s }: Loose) => s.value)).toEqual([kept?.subject]);
  } finally {
    await server.close();
  }
});
