import { CodedError, isCodedError } from '@cairn/errors';
import { allOf, checkStatedLabel, labelFromPolicyInformation, type Viewer } from '@cairn/security';
import type { RouteConfig } from '../routes/route.ts';

export interface UploadLabelRequest {
  /** The `Security-Label` of the request. */
  readonly requested: string | undefined;
  /** The `Policy-Information` after the route's headers were resolved. */
  readonly policyInformation: string | undefined;
  readonly route: RouteConfig;
  readonly viewer: Viewer;
}

/**
 * The label that the documents of an upload carry: the request's and the policy's and the route's, in canonical form.
 * The policy and the route only narrow whom the request's label permits, so that the sender may end among the others.
 * @throws `ERR_UPLOAD_LABEL` (invalid) when the request has none, has a malformed one, or one that its own sender
 *   could not read; `ERR_POLICY_INFORMATION` (invalid) for policy information that is neither EDH nor IDH.
 */
export function uploadLabel({ requested, policyInformation, route, viewer }: UploadLabelRequest): string {
  const label = requested?.trim() ?? '';
  if (label === '') throw refuse('the header Security-Label is required');
  try {
    checkStatedLabel(label, { where: 'the header Security-Label', writer: viewer });
  } catch (cause) {
    throw isCodedError(cause) ? refuse(cause.message, cause) : cause;
  }
  const policy = policyInformation === undefined ? [] : [labelFromPolicyInformation(policyInformation)];
  const configured = route.securityLabel === null ? [] : [route.securityLabel];
  return allOf([label, ...policy, ...configured]);
}

function refuse(message: string, cause?: unknown): CodedError {
  return new CodedError({ code: 'ERR_UPLOAD_LABEL', kind: 'invalid', message, cause });
}
