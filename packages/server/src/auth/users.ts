import { isCodedError } from '@cairn/errors';
import { attributesFromJson, createViewer, type Viewer } from '@cairn/security';
import { LRUCache } from 'lru-cache';
import type { AuthSettings } from '../config/configuration.ts';
import { tokenInvalid } from './errors.ts';
import type { Identity, User } from './user.ts';

const CACHED_VIEWERS = 1_000;

/** Turns identities into users; equal attributes share a viewer, and with it the labels it has decided. */
export type ToUser = (identity: Identity) => User;

/** A {@link ToUser}. It throws `ERR_TOKEN_INVALID` (unauthenticated) when attributes cannot be read. */
export function createUsers(options: AuthSettings): ToUser {
  const viewers = new LRUCache<string, Viewer>({ max: CACHED_VIEWERS });
  const viewerOf = (identity: Identity): Viewer => {
    const key = JSON.stringify(identity.attributes);
    const known = viewers.get(key);
    if (known !== undefined) return known;
    const viewer = createViewer({ attributes: readAttributes(identity), hierarchies: options.hierarchies });
    viewers.set(key, viewer);
    return viewer;
  };
  return (identity) => ({
    name: identity.name,
    viewer: viewerOf(identity),
    permissions: permissionsOf(identity, options),
    roles: identity.roles,
  });
}

function readAttributes(identity: Identity): ReturnType<typeof attributesFromJson> {
  try {
    return attributesFromJson(identity.attributes);
  } catch (error) {
    if (isCodedError(error)) throw tokenInvalid('the attributes of its user cannot be read', error);
    throw error;
  }
}

function permissionsOf(identity: Identity, options: AuthSettings): readonly string[] | undefined {
  const byRole = identity.roles.flatMap((role) => (Object.hasOwn(options.roles, role) ? options.roles[role] : []));
  if (identity.permissions === undefined && byRole.length === 0) return options.requirePermissions ? [] : undefined;
  return [...(identity.permissions ?? []), ...byRole];
}
