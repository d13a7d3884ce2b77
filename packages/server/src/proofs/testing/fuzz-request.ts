import fc from 'fast-check';
import type { Loose } from '../../testing/server.ts';
import { bodiesOf, type FuzzedBody } from './fuzz-bodies.ts';
import { anyText, type Manner, singleValue, valuesOf } from './fuzz-values.ts';

/** One operation of an OpenAPI document. */
export interface FuzzedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Loose;
}

export interface FuzzedRequest {
  readonly target: string;
  readonly user: 'alice' | 'dieter' | 'reader' | undefined;
  readonly init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: FuzzedBody['body'];
  };
}

const FORM = 'application/x-www-form-urlencoded';

/** Random requests for an operation, half of them tidy: its parameters, headers and bodies, and what it does not name. */
export function fuzzedRequests(operation: FuzzedOperation): fc.Arbitrary<FuzzedRequest> {
  return fc.oneof(requestsOf(operation, 'tidy'), requestsOf(operation, 'wild'));
}

function requestsOf({ path, method, operation }: FuzzedOperation, manner: Manner): fc.Arbitrary<FuzzedRequest> {
  const isTidy = manner === 'tidy';
  const content = Object.entries(operation.requestBody?.content ?? {}) as [string, Loose][];
  const form = content.find(([type]) => type === FORM)?.[1];
  const isForm = method === 'post' && form?.schema?.properties !== undefined;
  const fields = [...inPlace(operation, 'query'), ...fieldsOf(form)];
  const users = ['alice', 'alice', 'alice', 'dieter', 'reader', undefined] as const;
  return fc
    .record({
      path: record(inPlace(operation, 'path').map((one) => [one.name, singleValue(one, manner)])),
      fields: someOf(fields, manner),
      extra: isTidy ? fc.constant(undefined) : fc.oneof(fc.constant(undefined), fc.tuple(anyText, anyText)),
      headers: headersOf(inPlace(operation, 'header'), manner),
      body: bodiesOf(content, operation.operationId, manner),
      user: isTidy ? fc.constant('alice' as const) : fc.constantFrom(...users),
    })
    .map(({ path: values, fields: sent, extra, headers, body, user }) => {
      const where = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
      const pairs = new URLSearchParams();
      for (const [name, list] of Object.entries(sent)) for (const value of list) pairs.append(name, value);
      if (extra !== undefined) pairs.append(...extra);
      const target = isForm || pairs.size === 0 ? where : `${where}?${pairs}`;
      const verb = method.toUpperCase();
      if (method !== 'post' && content.length === 0) return { target, user, init: { method: verb, headers } };
      const isSentAsForm = isForm && body.type !== 'text/html';
      const init = toPost(isSentAsForm ? { type: FORM, body: `${pairs}` } : body, headers);
      return { target, user, init: { ...init, method: verb } };
    });
}

/** Of forty fields some hardly ever fit together: a request has so many at most beside those that it needs. */
const MOST_FIELDS = 8;

function someOf(fields: readonly Loose[], manner: Manner): fc.Arbitrary<Record<string, string[]>> {
  const isNeeded = ({ required }: Loose): boolean => manner === 'tidy' && required === true;
  const others = fields.filter((field) => !isNeeded(field));
  return fc.subarray(others, { maxLength: Math.min(MOST_FIELDS, others.length) }).chain((chosen) => {
    const sent = fields.filter((field) => isNeeded(field) || chosen.includes(field));
    return fc.record(Object.fromEntries(sent.map((one) => [one.name, valuesOf(one, manner)])));
  });
}

function inPlace(operation: Loose, place: 'query' | 'path' | 'header'): Loose[] {
  return (operation.parameters as Loose[]).filter((parameter) => parameter.in === place);
}

/** The fields of a form, as parameters. */
function fieldsOf(form: Loose): Loose[] {
  const required = (form?.schema?.required ?? []) as string[];
  return Object.entries(form?.schema?.properties ?? {}).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
    example: form.example?.[name],
  }));
}

function record(entries: readonly (readonly [string, fc.Arbitrary<string>])[]): fc.Arbitrary<Record<string, string>> {
  return fc.record(Object.fromEntries(entries));
}

const headerValue = fc.oneof(
  fc.constantFrom('clearance=O', 'clearance=TS & nationality=GBR', '!', 'clearance &', '{"EDH":{}}', '"', 'a,b'),
  fc.string({ unit: fc.constantFrom(...'abc=&|()"\'*!, {}:01'), maxLength: 30 }),
);
const accept = fc.constantFrom(
  ...['*/*', 'application/json', 'text/csv', 'text/turtle', 'image/png', ';;', 'text/plain;q=0.5'],
);

function headersOf(parameters: readonly Loose[], manner: Manner): fc.Arbitrary<Record<string, string>> {
  const label: Record<string, string> = parameters.some(({ name }) => name === 'Security-Label')
    ? { 'Security-Label': '*' }
    : {};
  if (manner === 'tidy') return fc.constant(label);
  const named = Object.fromEntries(parameters.map(({ name }) => [name, headerValue]));
  const origin = fc.constantFrom('null', 'https://evil.example');
  const known = { Accept: accept, 'Request-ID': headerValue, Origin: origin, ...named };
  return fc.record(known, { requiredKeys: [] }) as fc.Arbitrary<Record<string, string>>;
}

function toPost({ type, body }: FuzzedBody, headers: Record<string, string>): FuzzedRequest['init'] {
  return { method: 'POST', headers: type === '' ? headers : { ...headers, 'Content-Type': type }, body };
}
