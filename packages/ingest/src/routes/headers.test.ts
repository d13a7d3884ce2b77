import { createHeaders } from '@cairn/events';
import { describe, expect, it } from 'vitest';
import { resolveHeaders } from './headers.ts';
import { parseRoute } from './parser.ts';
import type { HeaderPriority } from './route.ts';

function resolved(priority: HeaderPriority, request: Record<string, string>): Record<string, string> {
  const headers = [{ name: 'Owner', defaultValue: 'Platform', priority }];
  const route = parseRoute({ name: 'a', topic: 'b', namespace: 'urn:c:', headers }, { file: 'test' });
  return Object.fromEntries(resolveHeaders(route, createHeaders(request)));
}

describe('the headers of a route', () => {
  it('take the configured value first with CONFIGURATION', () => {
    expect(resolved('CONFIGURATION', { owner: 'Me' })).toEqual({ Owner: 'Platform' });
  });

  it('take the value of the request first with REQUEST', () => {
    expect(resolved('REQUEST', { owner: 'Me' })).toEqual({ Owner: 'Me' });
    expect(resolved('REQUEST', { owner: ' ' })).toEqual({ Owner: 'Platform' });
  });

  it('take only the value of the request with REQUEST_ONLY', () => {
    expect(resolved('REQUEST_ONLY', { owner: 'Me' })).toEqual({ Owner: 'Me' });
    expect(resolved('REQUEST_ONLY', {})).toEqual({});
  });

  it('carry the documented ones of the request and no other', () => {
    const request = { 'request-id': '1', 'Distribution-Id': '2', 'Policy-Information': '{}', Authorization: 'secret' };
    expect(resolved('REQUEST_ONLY', request)).toEqual({
      'Request-ID': '1',
      'Distribution-Id': '2',
      'Policy-Information': '{}',
    });
  });
});
