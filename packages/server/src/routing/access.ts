import { CodedError } from '@cairn/errors';
import type { User } from '../auth/user.ts';

/** Access needed for an endpoint. `public` needs nothing, `signed-in` a user. */
export type Access =
  | 'public'
  | 'signed-in'
  | 'search.read'
  | 'search.write'
  | 'graph.read'
  | 'graph.write'
  | 'ingest.write';

/** From what an endpoint does to the permission it needs; `{dataset}` is the dataset of the path. */
const PERMISSIONS: Readonly<Record<Exclude<Access, 'public' | 'signed-in'>, string>> = {
  'search.read': 'api.knowledge.read',
  'search.write': 'api.knowledge.write',
  'graph.read': 'api.{dataset}.read',
  'graph.write': 'api.{dataset}.write',
  'ingest.write': 'api.knowledge.write',
};

/** The permission of an access, `undefined` when it needs none. */
export function permissionOf(access: Access, dataset: string): string | undefined {
  if (access === 'public' || access === 'signed-in') return undefined;
  return PERMISSIONS[access].replace('{dataset}', dataset);
}

/** Returns true if a list of permissions grants one; `*` as a segment grants any. */
export function grants(permissions: readonly string[], wanted: string): boolean {
  const segments = wanted.split('.');
  return permissions.some((permission) => {
    const have = permission.split('.');
    return have.length === segments.length && have.every((segment, i) => segment === '*' || segment === segments[i]);
  });
}

/** Refuses a user who lacks the permission of an access. @throws `ERR_PERMISSION` (denied), naming it. */
export function requireAccess(user: User, access: Access, dataset: string): void {
  const permission = permissionOf(access, dataset);
  if (permission === undefined || user.permissions === undefined || grants(user.permissions, permission)) return;
  throw new CodedError({ code: 'ERR_PERMISSION', kind: 'denied', message: `the permission ${permission} is required` });
}
