import { fileURLToPath } from 'node:url';

/** The build puts the maps beside the worker; the source takes them from there. */
const FOLDER = import.meta.url.endsWith('.ts') ? '../../../dist/extraction/cmaps/' : './cmaps/';

/**
 * The folder of the predefined character maps (ISO 32000, 9.7.5.2), with a separator at its end.
 *
 * A PDF names them and does not hold them; without them most of its Chinese, Japanese and Korean text has no characters.
 */
export function locateCharacterMaps(): string {
  return fileURLToPath(new URL(FOLDER, import.meta.url));
}
