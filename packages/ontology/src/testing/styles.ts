import type { Style } from '../style/style.ts';

/** A style without any finding, fresh for each test. */
export function goodStyle(): Style {
  return {
    defaultStyles: {
      dark: { backgroundColor: '#17202A', color: '#5DADE2' },
      light: { backgroundColor: '#1B2631', color: '#AED6F1' },
      shape: 'ellipse',
      borderRadius: '9999px',
      borderWidth: '2px',
      selectedBorderWidth: '3px',
      size: 'M',
    },
    defaultIcons: { riIcon: 'ri-user-line', faIcon: 'fa-solid fa-user', faUnicode: '\uf007', faClass: 'fa-solid' },
  };
}

/** A copy of an object with the value at a path replaced, or removed by `undefined`. */
export function withValue(style: object, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(style) as Record<string, unknown>;
  const keys = path.split('.');
  let parent = copy;
  for (const key of keys.slice(0, -1)) parent = parent[key] as Record<string, unknown>;
  const last = keys[keys.length - 1];
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}
