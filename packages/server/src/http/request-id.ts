import { randomUUID } from 'node:crypto';

const MAX_CLIENT_ID_LENGTH = 36;

/** Gives each request its id: a UUID, or the client's own, cut to 36 characters, with `/` and a counter. */
export function createRequestIds(newUuid: () => string = randomUUID): (sent: string | undefined) => string {
  let counter = 0;
  return (sent) => {
    const usable = sent?.replace(/[^\x21-\x7e]/g, '').slice(0, MAX_CLIENT_ID_LENGTH);
    if (usable === undefined || usable === '') return newUuid();
    counter += 1;
    return `${usable}/${counter}`;
  };
}
