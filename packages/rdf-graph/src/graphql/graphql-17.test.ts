import { version } from 'graphql';
import { expect, it, vi } from 'vitest';

// The peer range allows graphql 16 and 17. All else here runs over 16; these run once more over 17.
vi.mock('graphql', () => import('graphql17'));

await import('./execution/execute.test.ts');
await import('./execution/turns.test.ts');
await import('./http/audits.test.ts');
await import('./platform/platform.test.ts');

it('runs over graphql 17', () => {
  expect(version).toMatch(/^17\./);
});
