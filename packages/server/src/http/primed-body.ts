import type { BodyChunk, HttpAnswer } from './message.ts';

/** Returns true if the body of an answer is made while it is sent. */
export function isStream(body: HttpAnswer['body']): body is AsyncIterable<BodyChunk> {
  return body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
}

/**
 * An answer whose stream has begun: what fails before its second chunk can still become another answer, and one of a
 * single chunk is sent whole. @throws what the stream throws
 */
export async function primeBody(answer: HttpAnswer): Promise<HttpAnswer> {
  const { body } = answer;
  if (!isStream(body)) return answer;
  const iterator = body[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return { ...answer, body: '' };
  const second = await iterator.next();
  if (second.done === true) return { ...answer, body: first.value };
  return { ...answer, body: rejoin([first.value, second.value], iterator) };
}

async function* rejoin(begun: readonly BodyChunk[], rest: AsyncIterator<BodyChunk>): AsyncGenerator<BodyChunk> {
  try {
    yield* begun;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
