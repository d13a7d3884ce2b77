import { describe, expect, it } from 'vitest';
import { parseMediaType, requireMediaType } from './media-type.ts';
import type { HttpRequest } from './message.ts';

describe('a media type', () => {
  it('is read with its parameters', () => {
    expect(parseMediaType('Text/Turtle; charset="UTF-8"')).toEqual({
      type: 'text/turtle',
      parameters: new Map([['charset', 'UTF-8']]),
    });
  });

  it.each(['', 'text', 'text/', 'text/turtle, text/html', 'a/b; x', 'a/b; x=1; X=2', 'a/b\u0000'])(
    'refuses %j',
    (text) => {
      expect(parseMediaType(text)).toBeUndefined();
    },
  );
});

it('a Content-Type that is sent twice is refused for that, and not as a wrong one', () => {
  const request = { header: () => 'text/turtle', headerCount: () => 2 } as Partial<HttpRequest> as HttpRequest;
  expect(() => requireMediaType(request, ['text/turtle'])).toThrow('Content-Type must be sent once; got it 2 times');
});
