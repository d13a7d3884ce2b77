import { describe, expect, it } from 'vitest';
import { findPatterns, PATTERN_CATEGORY } from './patterns.ts';

function found(text: string): string[] {
  return findPatterns(text).map(({ start, end, category, uri }) => {
    const kind = Object.entries(PATTERN_CATEGORY).find(([, iri]) => iri === category)?.[0];
    return `${kind}: ${text.slice(start, end)}${uri === undefined ? '' : ` <${uri}>`}`;
  });
}

describe('patterns', () => {
  it.each([
    [
      'Write to jane.doe+nasa@mail.example.org.',
      ['email: jane.doe+nasa@mail.example.org <mailto:jane.doe+nasa@mail.example.org>'],
    ],
    ['See (https://example.org/a_(b)?q=1).', ['url: https://example.org/a_(b)?q=1 <https://example.org/a_(b)?q=1>']],
    [
      'On 1969-07-16, 16 July 1969 and July 16th, 1969',
      ['date: 1969-07-16', 'date: 16 July 1969', 'date: July 16th, 1969'],
    ],
    [
      'Call +44 20 7946 0958 or (202) 555-0143.',
      ['phone: +44 20 7946 0958 <tel:+442079460958>', 'phone: (202) 555-0143'],
    ],
    ['Not a date: 1969-02-30, 01/02/2003. Not a phone: 1234567, 10.20.30.40, 3.14159265.', []],
    [
      'An address in a link: https://example.org/?m=a@example.org',
      ['url: https://example.org/?m=a@example.org <https://example.org/?m=a@example.org>'],
    ],
  ])('in %j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each([
    ['letters', 'a'.repeat(200_000)],
    ['digits', '1'.repeat(200_000)],
    ['digits in groups', '12 '.repeat(70_000)],
    ['dots and letters', 'a.'.repeat(100_000)],
    ['at signs', 'a@'.repeat(100_000)],
    ['schemes', 'http://'.repeat(30_000)],
    ['parentheses', '('.repeat(200_000)],
    ['long hosts', `a@${'b-'.repeat(100_000)}`],
  ])('take linear time over %s', (_what, text) => {
    const start = process.cpuUsage();
    findPatterns(text);
    // A quadratic search of 200,000 characters takes minutes.
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(5000);
  });
});
