import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isCodedError } from '@cairn/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Configuration } from './configuration.ts';
import type { Environment } from './environment.ts';
import { completeConfiguration, loadConfiguration } from './load.ts';

let directory = '';
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'cairn-config-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function load(yaml: string, environment: Environment = {}, flags: Record<string, unknown> = {}): Configuration {
  const file = path.join(directory, 'cairn.yaml');
  writeFileSync(file, yaml);
  return loadConfiguration({ file, environment, flags: { source: 'flags', values: new Map(Object.entries(flags)) } });
}

function faultsOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isCodedError(error)) return error.message.replaceAll(`${directory}/`, '');
    throw error;
  }
  return 'none';
}

describe('completeConfiguration', () => {
  it('gives every caller defaults of its own', () => {
    const first = completeConfiguration({});
    Reflect.set(first.datasets['knowledge'] as object, 'defaultLabel', '*');
    expect(completeConfiguration({}).datasets['knowledge']?.defaultLabel).toBe('!');
  });
});

const EVERYTHING = `
server: {host: 127.0.0.1, port: 8080, paths: {search: /api/search, graph: /api/graph, ingest: /api/ingest}}
auth:
  mode: local
  users:
    alice: {attributes: {clearance: TS, nationality: [GBR]}, permissions: [api.knowledge.read, api.knowledge.write], roles: [USER]}
  hierarchies: {clearance: [O, OS, S, TS]}
datasets: {knowledge: {defaultLabel: "!"}, ontology: {defaultLabel: "*"}, catalog: {}}
indices: [search, {name: doc-content, fields: {title: {type: text, boost: 2}}, defaultFields: [title]}]
routes:
  - {name: local, topic: document.extractrequest, namespace: "https://example.org/documents/", securityLabel: null, maxDocumentBytes: 104857600, headers: [{name: Owner, defaultValue: Platform, priority: CONFIGURATION}]}
`;

describe('the configuration', () => {
  it('takes every fixed key and fills in defaults', () => {
    const { server, auth, datasets, indices, routes } = load(EVERYTHING);
    expect(server.port).toBe(8080);
    expect(auth.users['alice']?.attributes).toEqual({ clearance: 'TS', nationality: ['GBR'] });
    expect(datasets['catalog']).toEqual({ defaultLabel: '!' });
    expect(indices.map(({ name }) => name)).toEqual(['search', 'doc-content']);
    expect(routes[0]?.headers).toEqual([{ name: 'Owner', defaultValue: 'Platform', priority: 'CONFIGURATION' }]);
    expect(load('')).toEqual(completeConfiguration({}));
  });

  it('lets flags win over the environment, and that over the file', () => {
    expect(load('server: {port: 1}').server.port).toBe(1);
    expect(load('server: {port: 1}', { PORT: '2' }).server.port).toBe(2);
    expect(load('server: {port: 1}', { PORT: '2' }, { 'server.port': 3 }).server.port).toBe(3);
  });

  it('reads the variables of the environment', () => {
    const { auth } = load('', {
      JWKS_URL: 'https://issuer.example/keys',
      USERINFO_URL: 'https://issuer.example/userinfo',
      USERINFO_CACHE_SIZE: '5',
      USERINFO_CACHE_DURATION: 'PT2M',
      JWT_HEADERS_NAMES: 'Authorization,X-Token',
      JWT_HEADERS_PREFIXES: 'Bearer,',
      JWT_USERNAME_CLAIMS: 'email',
      JWT_ROLES_CLAIM: 'groups',
    });
    expect(auth).toMatchObject({
      mode: 'jwks',
      jwksUrl: 'https://issuer.example/keys',
      userinfoCacheSize: 5,
      userinfoCacheSeconds: 120,
      headerNames: ['Authorization', 'X-Token'],
      headerPrefixes: ['Bearer', ''],
      usernameClaims: ['email'],
      rolesClaim: 'groups',
    });
    expect(load('', { JWKS_URL: 'disabled' }).auth.mode).toBe('disabled');
    expect(load('', { JWKS_URL: ' ' }).auth.mode).toBe('local');
  });

  it('reads one route per file of a directory', () => {
    const routes = path.join(directory, 'routes');
    mkdirSync(routes);
    writeFileSync(path.join(routes, 'a.yaml'), 'name: a\ntopic: t\nnamespace: "https://example.org/"\n');
    expect(load('', { ROUTE_CONFIG_DIRECTORY: routes }).routes.map(({ name }) => name)).toEqual(['a']);
    writeFileSync(path.join(routes, 'b.yaml'), 'name: b\ntopic: catalog\nnamespace: "https://example.org/"\n');
    expect(faultsOf(() => load('', { ROUTE_CONFIG_DIRECTORY: routes }))).toContain(
      'topic in routes/b.yaml (route b) is "catalog"; expected a topic that nothing else uses',
    );
    writeFileSync(path.join(routes, 'b.yaml'), 'name: b\n');
    expect(faultsOf(() => load('', { ROUTE_CONFIG_DIRECTORY: routes }))).toContain('routes/b.yaml: topic');
  });

  it.each([
    ['serverr: {}', 'cairn.yaml: serverr is an unknown key'],
    ['server: {prot: 1}', 'cairn.yaml: server.prot is an unknown key'],
    ['server: {port: 99999}', 'cairn.yaml: server.port is 99999; expected at most 65535'],
    ['server: {port: "eighty"}', 'cairn.yaml: server.port is "eighty"; expected a number'],
    [
      'server: {paths: {search: api/}}',
      'cairn.yaml: server.paths.search is "api/"; expected a path such as /api/search, without a trailing slash',
    ],
    ['auth: {mode: open}', 'cairn.yaml: auth.mode is "open"; expected one of local, jwks, disabled'],
    ['auth: {mode: jwks}', 'cairn.yaml: auth.jwksUrl is missing; expected a URL, because auth.mode is jwks'],
    ['auth: {users: {__proto__: {attributes: {}}}}', 'cairn.yaml: auth.users.__proto__ is no name that can be used'],
    ['datasets: {__proto__: {}}', 'cairn.yaml: datasets.__proto__ is no name that can be used'],
    ['auth: {users: {a: {attribute: {}}}}', 'cairn.yaml: auth.users.a.attribute is an unknown key'],
    [
      '{auth: {mode: disabled}, server: {host: 0.0.0.0}}',
      'cairn.yaml: server.host is "0.0.0.0"; expected a loopback address, because auth.mode is disabled',
    ],
    ['indices: [a, a]', 'cairn.yaml: indices has "a" twice; expected each once'],
    ['indices: [{name: a, field: {}}]', 'cairn.yaml: indices[0].field is an unknown key'],
    ['indices: []', 'cairn.yaml: indices is []; expected at least 1 entry'],
    [
      'datasets: {knowledge: {defaultLabel: "a &"}}',
      'cairn.yaml: datasets.knowledge.defaultLabel is "a &"; expected a security label',
    ],
    [
      'indices: [search, {name: a, fields: {content: {type: text, analyzer: german}}}]',
      'cairn.yaml: indices[1].fields.content is {"type":"text","analyzer":"german"}; analyzer or language must be one of',
    ],
    [
      'indices: [{name: a, synonyms: [[car, automobile], [ny, "-"]]}]',
      'cairn.yaml: indices[0] cannot be used; each text of synonyms[1] of index a must have 1 to 8 words; got 0 in "-"',
    ],
    ['indices: [{name: a, synonyms: [[car, automobile], {from: [ny]}]}]', 'cairn.yaml: indices[0].synonyms[1]'],
    ['indices: [{name: a, fields: {b: {language: xx}}}]', 'cairn.yaml: indices[0].fields.b is {"language":"xx"}; '],
    [
      'auth: {hierarchies: {clearance: [O, TS, O, TS]}}',
      'cairn.yaml: auth.hierarchies.clearance has "O" twice; expected each once',
    ],
    [
      'server: {port: 8080, ports: {search: 8080}}',
      'cairn.yaml: server.ports.search is 8080; expected another port than that of server.port',
    ],
    [
      'server: {ports: {search: 8181, graph: 8181}}',
      'cairn.yaml: server.ports.graph is 8181; expected another port than that of server.ports.search',
    ],
    [
      'server: {port: 8080, metrics: {port: 8080}}',
      'cairn.yaml: server.metrics.port is 8080; expected another port than that of server.port',
    ],
    [
      'server: {host: 10.0.0.1, ports: {graph: 8181}, metrics: {host: 0.0.0.0, port: 8181}}',
      'cairn.yaml: server.metrics.port is 8181; expected another port than that of server.ports.graph',
    ],
    ...[
      ...['knowledge', 'ontology', 'document.entities', 'document.textandmetadata', 'document.corrections'],
      ...['document.entities.dlq', 'knowledge.dlq', 'a.dlq'],
    ].map((topic) => [
      `routes: [{name: a, topic: a, namespace: "https://x/"}, {name: b, topic: ${topic}, namespace: "https://x/"}]`,
      `cairn.yaml: routes[1].topic (route b) is "${topic}"; expected a topic that nothing else uses: knowledge, ontology, catalog, document.textandmetadata, document.entities, document.corrections are taken`,
    ]),
    [
      'datasets: {document.extractrequest: {}}',
      'cairn.yaml: routes[0].topic (route local) is "document.extractrequest"; expected a topic that nothing else uses: document.extractrequest, ',
    ],
    [
      'datasets: {document.entities: {}}',
      'cairn.yaml: the topic of datasets.document.entities is "document.entities"; ',
    ],
    ['datasets: {a: {}, a.dlq: {}}', 'cairn.yaml: the topic of datasets.a.dlq is "a.dlq"; expected'],
    ['- 1', 'cairn.yaml: the whole must be a map of keys to values'],
    ['a: [', 'cairn.yaml: '],
  ])('names the file, the key, the value and what was expected in %j', (yaml, fault) => {
    expect(faultsOf(() => load(yaml))).toContain(fault);
  });

  it('lets routes share a topic, and areas take any port that is free', () => {
    const route = (name: string) => `{name: ${name}, topic: t, namespace: "https://x/"}`;
    expect(load(`routes: [${route('a')}, ${route('b')}]`).routes).toHaveLength(2);
    expect(load('server: {port: 0, ports: {search: 0, graph: 0}}').server.port).toBe(0);
    for (const apart of ['host: 10.0.0.1, metrics: {port: 8080}', 'metrics: {enabled: false, port: 8080}']) {
      expect(load(`server: {port: 8080, ${apart}}`).server.metrics.port).toBe(8080);
    }
  });

  it('says so when the file cannot be read', () => {
    expect(faultsOf(() => loadConfiguration({ file: path.join(directory, 'none.yaml') }))).toBe(
      'none.yaml: cannot be read (ENOENT)',
    );
    expect(faultsOf(() => load('', { PORT: 'x' }))).toBe('environment: PORT is "x"; expected a whole number');
  });
});
