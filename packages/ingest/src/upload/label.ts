import { CodedError, isCodedError } from '@cairn/errors';
import { allOf, labelFromPolicyInformation, parseLabel, type Viewer } from '@cairn/security';
import type { RouteConfig } from '../routes/route.ts';

/** What the label of an upload is made of. */
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
 *
 * @throws `ERR_UPLOAD_LABEL` (invalid) when the request has none, has a malformed one, or one that its own sender
 *   could not read; `ERR_POLICY_INFORMATION` (invalid) for policy information that is neither EDH nor IDH.
 */
export function uploadLabel({ requested, policyInformation, route, viewer }: UploadLabelRequest): string {
  const label = requested?.trim() ?? '';
  if (label === '') throw refuse('the header Security-Label is required');
  checkReadable(label, viewer);
  const policy = policyInformation === undefined ? [] : [labelFromPolicyInformation(policyInformation)];
  const configured = route.securityLabel === null ? [] : [route.securityLabel];
  return allOf([label, ...policy, ...configured]);
}

function checkReadable(label: string, viewer: Viewer): void {
  try {
    parseLabel(label);
  } catch (cause) {
    const detail = isCodedError(cause) ? `: ${cause.message}` : '';
    throw refuse(`the header Security-Label is malformed${detail}`, cause);
  }
  if (!viewer.permits(label)) throw refuse('the header Security-Label must be one that the sender may read');
}

function refuse(message: string, cause?: unknown): CodedError {
  return new CodedError({ code: 'ERR_UPLOAD_LABEL', kind: 'invalid', message, cause });
}
