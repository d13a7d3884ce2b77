import { contentHash } from '@cairn/events';

/**
 * The identity of a document: the same content under the same label in the same namespace is the same document, and
 * under another label another one, so that nobody overwrites what they cannot see.
 * @param hash SHA-256 of the content in hex
 * @param owner Name of a sender who may not read the label: what they send is a document of their own, since they might
 *   otherwise rename one that they cannot see.
 * @returns a UUID of version 8 (RFC 9562), and the namespace with that appended
 */
export function documentIdentity(
  namespace: string,
  hash: string,
  label: string,
  owner?: string,
): { id: string; iri: string } {
  const named = [namespace, hash, label];
  const hex = contentHash(JSON.stringify(owner === undefined ? named : [...named, owner]));
  const variant = ((Number.parseInt(hex[16], 16) & 0x3) | 0x8).toString(16);
  const id = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
  return { id, iri: `${namespace}${id}` };
}

/** A UUID in its usual form, of any version. */
export const UUID: RegExp = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
