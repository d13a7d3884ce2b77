import { REMIX_TABLE } from './generated/tables.ts';

let names: ReadonlySet<string> | undefined;

/** True when a class such as `ri-user-line` names an icon of Remix Icon 4.6. The table is read at the first call. */
export function isRemixIcon(iconClass: string): boolean {
  names ??= new Set(REMIX_TABLE.split(' '));
  return iconClass.startsWith('ri-') && names.has(iconClass.slice(3));
}
