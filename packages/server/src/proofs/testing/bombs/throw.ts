import { eventually, type Loose } from '../../../testing/server.ts';
import type { BombRequest } from './bomb.ts';
import type { SmallServer } from './small-server.ts';

/** How long documents are waited for, in tries. */
const MAX_TRIES = 1_800;

/** Sends a bomb and tells how it ended, in the words of `Bomb.ends`. */
export async function throwBomb(server: SmallServer, request: BombRequest): Promise<string> {
  let end = '';
  for (let next: BombRequest | undefined = request; next !== undefined; next = next.then) {
    end = await throwOne(server, next);
  }
  return end;
}

async function throwOne(server: SmallServer, { target, init, isUpload = false }: BombRequest): Promise<string> {
  const before = isUpload ? (await server.process.operate('dead-letters-list')).length : 0;
  let status = 'no answer';
  try {
    const response = await server.attacker.send(target, init);
    status = String(response.status);
    const body = await response.text();
    if (isUpload && response.status === 202) return `${status} ${await outcomeOf(server, body, before)}`;
    const code = codeIn(body);
    return code === undefined ? status : `${status} ${code}`;
  } catch {
    return `${status} cut`;
  }
}

/** Waits until what was accepted is found, or has become a dead letter. */
function outcomeOf({ process, attacker }: SmallServer, body: string, before: number): Promise<string> {
  const { id } = (JSON.parse(body) as Loose).documents[0];
  return eventually(async () => {
    const found = await attacker.send(`/api/search/documents/${encodeURIComponent(id)}`);
    await found.text();
    if (found.status === 200) return 'read';
    const letter = (await process.operate('dead-letters-list'))[before];
    if (letter === undefined) return undefined;
    const [topic = '', position = ''] = letter.split('\t');
    const shown = (await process.operate('dead-letters-show', { topic, position })).join('\n');
    return /^exception: (ERR_[A-Z_]+)/m.exec(shown)?.[1] ?? shown;
  }, MAX_TRIES);
}

/** The code of a problem, of the first file that was refused, or of the first error in an answer of GraphQL. */
function codeIn(body: string): string | undefined {
  if (!body.startsWith('{')) return undefined;
  try {
    const { code, errors } = JSON.parse(body) as Loose;
    return code ?? errors?.[0]?.extensions?.code;
  } catch {
    return undefined;
  }
}
