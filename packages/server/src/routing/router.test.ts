import { describe, expect, it } from 'vitest';
import { Router } from './router.ts';

const router = new Router<string>();
router.add('GET', '/api/documents', 'search');
router.add('GET', '/api/documents/{id}', 'get');
router.add('POST', '/api/documents/id', 'post by id');
router.add('GET', '/api/documents/uri-search', 'uri search');
router.add('POST', '/api/documents/{route}/upload', 'upload');
router.add('GET', '/api/{dataset}/graphql', 'dataset');
router.add('GET', '/api/{dataset}/platform/graphql', 'platform');

function find(method: string, path: string): [string | undefined, Record<string, string>] | undefined {
  const match = router.find(path);
  return match && [match.methods.get(method), Object.fromEntries(match.variables)];
}

describe('the router', () => {
  it('splits the path before it decodes, so that an encoded slash stays in its segment', () => {
    expect(find('GET', '/api/documents/https%3A%2F%2Fexample.org%2F1')).toEqual([
      'get',
      { id: 'https://example.org/1' },
    ]);
    expect(find('GET', '/api/documents/a/b')).toBeUndefined();
  });

  it('lets a fixed name win over a variable, also when it has another method only', () => {
    expect(find('GET', '/api/documents/uri-search')).toEqual(['uri search', {}]);
    expect(find('GET', '/api/documents/id')).toEqual([undefined, {}]);
  });

  it('comes back from a fixed name that leads nowhere', () => {
    expect(find('POST', '/api/documents/local/upload')).toEqual(['upload', { route: 'local' }]);
    expect(find('POST', '/api/documents/id/upload')).toEqual(['upload', { route: 'id' }]);
    expect(find('GET', '/api/documents/graphql')).toEqual(['get', { id: 'graphql' }]);
  });

  it('gives an empty variable for a trailing slash, and nothing for what it does not know', () => {
    expect(find('GET', '/api/documents/')).toEqual(['get', { id: '' }]);
    expect(find('GET', '/api/knowledge/platform/graphql')).toEqual(['platform', { dataset: 'knowledge' }]);
    expect(find('GET', '/')).toBeUndefined();
    expect(find('GET', '/api/__proto__')).toBeUndefined();
  });

  it('throws for a variable that is not well encoded', () => {
    expect(() => router.find('/api/documents/%E0%A4%A')).toThrow(URIError);
  });

  it('refuses two targets for one path', () => {
    expect(() => router.add('GET', '/api/documents', 'again')).toThrow('two routes');
  });
});
