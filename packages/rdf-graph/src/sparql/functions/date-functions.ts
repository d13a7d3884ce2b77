import type * as RDF from '@rdfjs/types';
import { stringLiteral, typedLiteral } from '../../rdf/terms.ts';
import { xsd } from '../../rdf/vocabulary.ts';
import { ExpressionError, typeError } from '../../xpath/expression-error.ts';
import { type FunctionDefinition, type FunctionTable, taking } from './definition.ts';
import { integerLiteral, numericLiteral } from './numeric.ts';
import { type Instant, parseInstant } from './temporal.ts';

const WITH_DATE: ReadonlySet<string> = new Set([xsd.dateTime, xsd.dateTimeStamp, xsd.date]);
const WITH_TIME: ReadonlySet<string> = new Set([xsd.dateTime, xsd.dateTimeStamp, xsd.time]);
const WITH_EITHER: ReadonlySet<string> = new Set([...WITH_DATE, ...WITH_TIME]);

/** A function of one date or time. The standard asks for xsd:dateTime; xsd:date and xsd:time work where they can. */
function accessor(
  name: string,
  types: ReadonlySet<string>,
  read: (instant: Instant, text: string) => RDF.Term,
): FunctionDefinition {
  return taking(1, ([term]) => {
    if (term?.termType !== 'Literal' || !types.has(term.datatype.value)) return typeError(name);
    return read(parseInstant(term.value, term.datatype.value) ?? typeError(name), term.value);
  });
}

/** The offset as dayTimeDuration: `PT0S`, `-PT5H30M`. */
function readTimezone({ offsetMinutes }: Instant): RDF.Term {
  if (offsetMinutes === undefined) throw new ExpressionError('timezone() of a value without one');
  const minutes = Math.abs(offsetMinutes);
  const hourPart = minutes >= 60 ? `${Math.floor(minutes / 60)}H` : '';
  const minutePart = minutes % 60 === 0 ? '' : `${minutes % 60}M`;
  const text = minutes === 0 ? 'PT0S' : `${offsetMinutes < 0 ? '-' : ''}PT${hourPart}${minutePart}`;
  return typedLiteral(text, xsd.dayTimeDuration);
}

/** TZ gives the offset as it is written: `Z`, `-05:00`, or nothing. */
const OFFSET = /(?:Z|[+-]\d\d:\d\d)$/;

/** The functions on dates and times (SPARQL 1.1, 17.4.5). */
export const DATE_FUNCTIONS: FunctionTable = new Map([
  ['now', taking(0, (_, { nowMs }) => typedLiteral(new Date(nowMs).toISOString(), xsd.dateTime))],
  ['year', accessor('year', WITH_DATE, ({ year }) => integerLiteral(year))],
  ['month', accessor('month', WITH_DATE, ({ month }) => integerLiteral(month))],
  ['day', accessor('day', WITH_DATE, ({ day }) => integerLiteral(day))],
  ['hours', accessor('hours', WITH_TIME, ({ hour }) => integerLiteral(hour))],
  ['minutes', accessor('minutes', WITH_TIME, ({ minute }) => integerLiteral(minute))],
  ['seconds', accessor('seconds', WITH_TIME, ({ second }) => numericLiteral({ type: 'decimal', value: second }))],
  ['timezone', accessor('timezone', WITH_EITHER, readTimezone)],
  ['tz', accessor('tz', WITH_EITHER, (_, text) => stringLiteral(OFFSET.exec(text)?.[0] ?? ''))],
]);
