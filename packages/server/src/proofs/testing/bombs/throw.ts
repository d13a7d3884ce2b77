import type { Loose } from '../../../testing/server.ts';
import type { Client } from '../client.ts';
import type { Bomb } from './bomb.ts';

/** Sends a bomb and tells how it ended, in the words of {@link Bomb.ends}. */
export async function throwBomb(client: Client, { request }: Bomb): Promise<string> {
  const { target, init } = request();
  let status = 'no answer';
  try {
    const response = await client.send(target, init);
    status = String(response.status);
    const code = codeIn(await response.text());
    return code === undefined ? status : `${status} ${code}`;
  } catch {
    return `${status} cut`;
  }
}

/** The code of a problem, or of the first error in an answer of GraphQL. */
function codeIn(body: string): string | undefined {
  if (!body.startsWith('{')) return undefined;
  try {
    const { code, errors } = JSON.parse(body) as Loose;
    return code ?? errors?.[0]?.extensions?.code;
  } catch {
    return undefined;
  }
}
