import { CodedError, isCodedError } from '@cairn/errors';
import { parseLabel } from '@cairn/security';
import type { Context } from '../routing/context.ts';
import type { HeaderDescription } from '../routing/route.ts';

/** The header that labels what a write adds. */
export const LABEL_HEADER: HeaderDescription = {
  name: 'Security-Label',
  required: false,
  description: 'Label of what is added; one that the caller may read. Default: the one of the dataset.',
  example: 'clearance=S',
};

/**
 * The label that a write asks for, `undefined` when it asks for none.
 * @throws `ERR_SECURITY_LABEL` (invalid) when it is malformed or its sender could not read it.
 */
export function labelOf({ request, viewer }: Context): string | undefined {
  const label = request.header('security-label')?.trim();
  if (label === undefined || label === '') return undefined;
  try {
    parseLabel(label);
  } catch (error) {
    if (!isCodedError(error)) throw error;
    throw new CodedError({
      code: 'ERR_SECURITY_LABEL',
      kind: 'invalid',
      message: `the header Security-Label is malformed: ${error.message}`,
      ...(error.position && { position: error.position }),
      ...(error.expected && { expected: error.expected }),
    });
  }
  if (viewer.permits(label)) return label;
  throw new CodedError({
    code: 'ERR_SECURITY_LABEL',
    kind: 'invalid',
    message: `the header Security-Label must be one that its sender may read; got ${JSON.stringify(label.slice(0, 200))}`,
  });
}
