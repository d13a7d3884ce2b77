import type { HttpAnswer } from './message.ts';

/** A JSON answer. */
export function jsonAnswer(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(value) };
}
