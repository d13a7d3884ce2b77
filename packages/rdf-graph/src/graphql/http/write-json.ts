import { nextTurn } from '@cairn/events';
import { answerTooLarge } from '../execution/guard.ts';

/** Values that are written at once. */
const PORTION = 512;

/** Characters that are written between two turns of the event loop. */
const TURN_LENGTH = 1 << 18;

/**
 * Returns the text of `JSON.stringify`, and lets others run while it writes long answers.
 * @throws `ERR_GRAPHQL_ANSWER` (exhausted) past `maxUnits` UTF-16 units
 */
export async function writeJson(value: object, maxUnits: number = Number.POSITIVE_INFINITY): Promise<string> {
  let text = '';
  let turnAt = TURN_LENGTH;
  for (const piece of piecesOf(value)) {
    text += piece;
    if (text.length > maxUnits) throw answerTooLarge(maxUnits);
    if (text.length < turnAt) continue;
    await nextTurn();
    turnAt = text.length + TURN_LENGTH;
  }
  return text;
}

function* piecesOf(value: unknown): Generator<string> {
  if (!isObject(value) || hasOwnForm(value) || countValues(value, PORTION) <= PORTION) {
    yield JSON.stringify(value) ?? 'null';
  } else if (Array.isArray(value)) {
    yield* joined('[', value, ']', piecesOf);
  } else {
    const entries = Object.entries(value).filter(([, one]) => one !== undefined);
    yield* joined('{', entries, '}', entryPieces);
  }
}

function* entryPieces([key, value]: readonly [string, unknown]): Generator<string> {
  yield `${JSON.stringify(key)}:`;
  yield* piecesOf(value);
}

function* joined<Item>(
  open: string,
  items: readonly Item[],
  close: string,
  pieces: (item: Item) => Iterable<string>,
): Generator<string> {
  let separator = open;
  for (const item of items) {
    yield separator;
    separator = ',';
    yield* pieces(item);
  }
  yield close;
}

/** How many values a tree has; counting ends soon after `bound`. */
function countValues(value: object, bound: number): number {
  let count = 1;
  for (const child of Object.values(value)) {
    count += isObject(child) ? countValues(child, bound - count) : 1;
    if (count > bound) break;
  }
  return count;
}

/** True for a value that says itself what is written of it, such as a date. */
function hasOwnForm(value: object): boolean {
  return typeof (value as { readonly toJSON?: unknown }).toJSON === 'function';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
