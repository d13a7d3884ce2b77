/** The path of a member of the value at `at`, where a field is there or below it; else `undefined`. */
export function pathTowards(field: string, at: string, key: string): string | undefined {
  const path = at === '' ? key : `${at}.${key}`;
  return field === path || field.startsWith(`${path}.`) ? path : undefined;
}
