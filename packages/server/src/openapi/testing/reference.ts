import { ERROR_KINDS, type ErrorCode } from '@cairn/errors';
import { ERROR_TABLE, type ErrorRow } from '@cairn/errors/table';
import type { Configuration } from '../../config/configuration.ts';
import { MAX_ACCEPT_LENGTH, PROBLEM_BY_CODE, PROBLEM_BY_KIND } from '../../http/problem.ts';
import type { Parameter } from '../../parameters/parameter.ts';
import { permissionOf } from '../../routing/access.ts';
import { type Area, pathOf, type Route } from '../../routing/route.ts';
import { answersOf } from '../document.ts';

const AREA_TITLES: Readonly<Record<Area, string>> = {
  search: 'Search',
  graph: 'Graph',
  ingest: 'Ingester',
  root: 'Service',
};

const NOTE = '<!-- Generated from the route tables of @cairn/server; do not edit. -->';

/** docs/http.md: every endpoint with its parameters and statuses. */
export function toHttpReference(routes: readonly Route[], configuration: Configuration): string {
  const sections = (Object.keys(AREA_TITLES) as Area[]).map((area) => {
    const inArea = routes.filter((route) => route.area === area);
    return [`## ${AREA_TITLES[area]}`, ...inArea.map((route) => toSection(route, configuration))].join('\n\n');
  });
  return `${NOTE}\n\n# HTTP reference\n\n${INTRODUCTION}\n\n${sections.join('\n\n')}\n`;
}

const INTRODUCTION = `Prefixes are those of the default configuration (\`server.paths\`). Every answer of an endpoint carries \`Request-ID\`, and
errors are [problem details](errors.md); what is no HTTP request, as with a malformed chunk or headers that are too long,
gets a bare status. A parameter that an endpoint does not know is refused with 400, except by probes and where a protocol
defines others; one that may not be repeated is refused when it is. The parameters of a POST twin stand in its form body.
Escapes in paths, query strings and forms are UTF-8; others are refused with 400. A body is sent as it is: one with a
\`Content-Encoding\` is refused with 415, one with another \`Transfer-Encoding\` than \`chunked\` with 501, and an \`Expect\`
for something else than \`100-continue\` with 417. \`HEAD\` answers where \`GET\` does, \`OPTIONS\` everywhere, for \`*\` with
the methods of all endpoints; other methods are refused with 405.

\`Accept\` is followed by endpoints that can answer in several types, which say 406 when it takes none of them; where there
is one type, that comes whatever \`Accept\` says. An \`Accept\` of more than ${MAX_ACCEPT_LENGTH} characters takes nothing: 406 there, and
errors come as problem JSON.`;

function toSection(route: Route, configuration: Configuration): string {
  const permission = permissionOf(route.access, '{dataset}');
  const access =
    route.access === 'public'
      ? 'No authentication.'
      : `Needs a user${permission === undefined ? '' : ` with \`${permission}\``}.`;
  const parts = [`### ${route.method} ${pathOf(route, configuration)}`, `${route.summary} ${access}`];
  const parameters = Object.values(route.parameters);
  if (parameters.length > 0) parts.push(toParameterTable(parameters, route));
  if (route.requestHeaders !== undefined) {
    const rows = route.requestHeaders.map(
      ({ name, required, description }) => `| \`${name}\` | ${required ? 'yes' : 'no'} | ${cell(description)} |`,
    );
    parts.push(['| header | required | meaning |', '|---|---|---|', ...rows].join('\n'));
  }
  if (route.body !== undefined)
    parts.push(`Body (${route.body.types.map((type) => `\`${type}\``).join(', ')}): ${route.body.description}`);
  const answers = answersOf(route).map(
    ({ status, description, types }) =>
      `| ${status} | ${cell(description)}${types === undefined ? '' : ` (${types.map((type) => `\`${type}\``).join(', ')})`} |`,
  );
  parts.push(['| status | when |', '|---|---|', ...answers].join('\n'));
  return parts.join('\n\n');
}

function toParameterTable(parameters: readonly Parameter<unknown>[], route: Route): string {
  const rows = parameters.map((parameter) => {
    const place = parameter.inPath ? 'path' : route.intake === 'form' ? 'form' : 'query';
    return `| \`${parameter.name}\` | ${place} | ${typeOf(parameter)} | ${defaultOf(parameter)} | ${cell(parameter.description)} |`;
  });
  return ['| parameter | in | type | default | meaning |', '|---|---|---|---|---|', ...rows].join('\n');
}

function typeOf({ type, choices, minimum, maximum, repeatable }: Parameter<unknown>): string {
  const bounds =
    minimum === undefined
      ? ''
      : maximum === Number.MAX_SAFE_INTEGER
        ? `, ${minimum} and up`
        : `, ${minimum} to ${maximum}`;
  const words = choices === undefined ? '' : `: ${choices.map((word) => `\`${word}\``).join(', ')}`;
  return `${type}${bounds}${words}${repeatable ? ', may be repeated' : ''}`;
}

function defaultOf({ required, fallback, repeatable }: Parameter<unknown>): string {
  if (required) return 'required';
  return fallback === undefined || repeatable ? '' : `\`${String(fallback)}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** docs/errors.md: problem types, the statuses of error kinds, and every code. */
export function toErrorReference(): string {
  const kinds = ERROR_KINDS.map(
    (kind) => `| \`${kind}\` | ${PROBLEM_BY_KIND[kind].status} | \`${PROBLEM_BY_KIND[kind].type}\` |`,
  );
  return `${NOTE}

# Errors

An error answers with problem details (RFC 9457) as \`application/problem+json\`, \`application/json\` or \`text/plain\`, as
\`Accept\` prefers: \`type\` (stable, below), \`title\`, \`status\`, \`detail\` (what, the value and the bound), \`instance\` (the
path), \`code\` (the stable code of the error), and for syntax errors \`position\` and \`expected\`. The header \`Request-ID\`
finds the request in the log. No answer holds a stack, a token, or content that the user may not see.

Every error has a \`kind\`, which says what a caller should do, and by which it gets its status:

| kind | status | type |
|---|---|---|
${kinds.join('\n')}

A 503 and a 429 carry \`Retry-After\`, unless \`detail\` says that what was written is durable: sent again it would come twice; a 401, and the 400 of an unusable token, carry \`WWW-Authenticate\`; a 405 carries \`Allow\`.

## Codes

Packages throw the same codes as the server answers with. Where a code has a status or type of its own, it is in bold.

| code | kind | status and type | meaning | what to do |
|---|---|---|---|---|
${Object.entries(ERROR_TABLE).map(toCodeRow).join('\n')}
`;
}

function toCodeRow([code, { kinds, meaning, remedy }]: [string, ErrorRow]): string {
  const own = PROBLEM_BY_CODE[code as ErrorCode];
  const problems = own === undefined ? kinds.map((kind) => PROBLEM_BY_KIND[kind]) : [own];
  const shown = [...new Set(problems.map(({ status, type }) => `${status} \`${type}\``))].join(', ');
  const cells = [
    `\`${code}\``,
    kinds.join(', '),
    own === undefined ? shown : `**${shown}**`,
    cell(meaning),
    cell(remedy),
  ];
  return `| ${cells.join(' | ')} |`;
}
