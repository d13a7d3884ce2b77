import type { BodyChunk, HttpAnswer } from './message.ts';

/**
 * An answer whose stream has given its first chunk: what fails before that can still become another answer.
 * @throws what the stream throws
 */
export async function primeBody(answer: HttpAnswer): Promise<HttpAnswer> {
  const { body } = answer;
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return answer;
  const iterator = body[Symbol.asyncIterator]();
  const first = await iterator.next();
  return { ...answer, body: first.done === true ? '' : rejoin(first.value, iterator) };
}

async function* rejoin(first: BodyChunk, rest: AsyncIterator<BodyChunk>): AsyncGenerator<BodyChunk> {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
