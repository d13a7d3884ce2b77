import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDateText, parseInstant } from './instant.ts';

describe('an instant', () => {
  it('is what the platform reads of a full date-time', () => {
    const date = fc.date({ noInvalidDate: true, min: new Date('0000-01-01'), max: new Date('9999-12-31') });
    fc.assert(
      fc.property(date, (value) => {
        const at = value.getTime();
        expect(parseInstant(value.toISOString())).toEqual({ first: at, last: at });
      }),
    );
  });

  it.each([
    ['2020', '2020-01-01T00:00:00.000Z', '2020-12-31T23:59:59.999Z'],
    ['2020-02', '2020-02-01T00:00:00.000Z', '2020-02-29T23:59:59.999Z'],
    ['1969-07-16', '1969-07-16T00:00:00.000Z', '1969-07-16T23:59:59.999Z'],
    ['2021-06-15T10:30', '2021-06-15T10:30:00.000Z', '2021-06-15T10:30:59.999Z'],
    ['2021-06-15T00:00:00+02:00', '2021-06-14T22:00:00.000Z', '2021-06-14T22:00:00.999Z'],
  ])('spans all that a coarse text names: %s', (text, first, last) => {
    expect(parseInstant(text)).toEqual({ first: Date.parse(first), last: Date.parse(last) });
  });

  it.each(['2020-13', '2021-02-29', '2020-01-01T25:00', 'yesterday', '', '20', '2020-01-01T10:00:00.1234567890Z'])(
    'is not read of an impossible text: %s',
    (text) => {
      expect(parseInstant(text)).toBeUndefined();
    },
  );

  it('is no bare year where a value is read: that is a number or a word', () => {
    expect([isDateText('2020'), isDateText('2020-05'), isDateText('2020-05-01 is a date')]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
