/**
 * Access of the other packages of Cairn to stored indices.
 * Not under semantic versioning: it may change or go in any release.
 * @module
 */

export { compileIndexMapping } from './mapping/index-mapping.ts';
export { listIndexBlobs } from './persistence/manifest.ts';
