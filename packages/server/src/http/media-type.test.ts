import { describe, expect, it } from 'vitest';
import { parseMediaType } from './media-type.ts';

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
