import { checkStatedLabel } from '@cairn/security';
import type { Context } from '../routing/context.ts';
import type { HeaderDescription } from '../routing/route.ts';

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
  checkStatedLabel(label, { where: 'the header Security-Label', writer: viewer });
  return label;
}

/** The headers by which an answer says that its sender cannot read back what was written; none when they can. */
export function hiddenWarning(isHidden: boolean): Readonly<Record<string, string>> {
  return isHidden ? { 'Cairn-Warning': 'what was added carries a label that its sender may not read' } : {};
}
