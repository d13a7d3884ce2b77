import { CodedError, checkObject, checkText, type ErrorCode, isCodedError } from '@cairn/errors';
import { checkViewer, type Viewer } from '../viewer/viewer.ts';
import type { Label } from './label.ts';
import { parseLabel } from './parse.ts';

/** Options of {@link checkStatedLabel}. */
export interface StatedLabelOptions {
  /** Place of the label, as messages name it: `the header Security-Label`. */
  readonly where: string;
  /** User who states it. Without one, an operator, who may write labels beyond their own reading rights. */
  readonly writer: Viewer | undefined;
}

/** Longest part of a label that a message quotes, in characters. */
const MAX_QUOTED = 200;

/**
 * Checks a label that somebody states for data to be written.
 *
 * @throws `ERR_SECURITY_LABEL` (invalid) when the label is malformed (with its position), blank, or one that its writer
 *   may not read.
 */
export function checkStatedLabel(label: string, options: StatedLabelOptions): void {
  checkObject(options, 'where a label is stated');
  const { where, writer } = options;
  checkText(where, 'where a label is stated');
  checkText(label, where);
  if (writer !== undefined) checkViewer(writer);
  if (label.trim() === '') throw refusal(`${where} is blank, which permits nobody`);
  parseStated(label, 'ERR_SECURITY_LABEL', `${where} is malformed`);
  if (writer === undefined || writer.permits(label)) return;
  throw refusal(`${where} must be one that the sender may read; got ${JSON.stringify(label.slice(0, MAX_QUOTED))}`);
}

/** Parses a label; an error says where it stands, and has this code (invalid). */
export function parseStated(text: string, code: ErrorCode, where: string): Label {
  try {
    return parseLabel(text);
  } catch (cause) {
    if (!isCodedError(cause)) throw cause;
    const { position, expected } = cause;
    const message = `${where}: ${cause.message}`;
    const place = { ...(position && { position }), ...(expected && { expected }) };
    throw new CodedError({ code, kind: 'invalid', message, cause, ...place });
  }
}

function refusal(message: string): CodedError {
  return new CodedError({ code: 'ERR_SECURITY_LABEL', kind: 'invalid', message });
}
