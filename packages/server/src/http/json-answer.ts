import type { HttpAnswer } from './message.ts';

const JSON_HEADERS = { 'Content-Type': 'application/json' };

export function jsonAnswer(value: unknown, status = 200): HttpAnswer {
  return { status, headers: JSON_HEADERS, body: JSON.stringify(value) };
}
