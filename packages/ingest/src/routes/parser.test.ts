import { isCodedError } from '@cairn/errors';
import { describe, expect, it } from 'vitest';
import { parseRoute, parseRoutes } from './parser.ts';

const SOURCE = { file: 'cairn.yaml', key: 'routes[0]' };
const LOCAL = { name: 'local', topic: 'document.extractrequest', namespace: 'https://example.org/documents/' };

function messageOf(value: unknown): string {
  try {
    parseRoute(value, SOURCE);
  } catch (error) {
    if (isCodedError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'accepted';
}

describe('a route', () => {
  it('has defaults for everything but name, topic and namespace', () => {
    expect(parseRoute(LOCAL, SOURCE)).toEqual({
      ...LOCAL,
      securityLabel: null,
      headers: [],
      maxDocumentBytes: 104_857_600,
      maxFiles: 1000,
    });
  });

  it.each([
    [{ ...LOCAL, name: 7 }, 'cairn.yaml: routes[0].name must be a name of letters, digits, ".", "_" and "-"; got 7'],
    [{ ...LOCAL, name: '../x' }, 'routes[0].name must be a name'],
    [{ ...LOCAL, name: undefined }, 'got nothing'],
    [{ ...LOCAL, namespace: 'documents/' }, 'routes[0].namespace must be an absolute IRI; got "documents/"'],
    [{ ...LOCAL, securityLabel: 'a &' }, 'routes[0].securityLabel must be a security label ('],
    [{ ...LOCAL, maxDocumentBytes: 0 }, 'routes[0].maxDocumentBytes must be an integer from 1 to'],
    [{ ...LOCAL, maxFiles: '3' }, 'routes[0].maxFiles must be an integer from 1 to 10000; got "3"'],
    [{ ...LOCAL, colour: 'red' }, 'routes[0].colour must be one of the keys name, topic'],
    [{ ...LOCAL, headers: {} }, 'routes[0].headers must be a list; got {}'],
    [
      { ...LOCAL, headers: [{ name: 'Owner', defaultValue: 'x', priority: 'NEVER' }] },
      'routes[0].headers[0].priority must be CONFIGURATION, REQUEST, REQUEST_ONLY; got "NEVER"',
    ],
    [
      { ...LOCAL, headers: [{ name: 'security-label', defaultValue: '*', priority: 'CONFIGURATION' }] },
      'routes[0].headers[0].name must be a header that is not reserved',
    ],
    ['local', 'routes[0] must be an object; got "local"'],
  ])('is refused with file, key and value: %j', (value, expected) => {
    expect(messageOf(value)).toContain(expected);
    expect(messageOf(value)).toMatch(/^ERR_ROUTE_CONFIG: cairn\.yaml: /);
  });

  it('has a name that no other route has', () => {
    const entry = { value: LOCAL, source: SOURCE };
    expect(() => parseRoutes([entry, entry])).toThrow('must be a name that no other route has; got "local"');
  });
});
