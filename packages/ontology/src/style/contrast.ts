/** The smallest contrast of icon and outline on the node that is not warned about, as for graphics in WCAG 2.1. */
export const MIN_CONTRAST = 3;

/** The contrast of two hex colours, 1 to 21, by WCAG 2.1, ignoring alpha. `undefined` when either is no hex colour. */
export function contrastOf(first: string, second: string): number | undefined {
  const a = luminanceOf(first);
  const b = luminanceOf(second);
  if (a === undefined || b === undefined) return undefined;
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminanceOf(colour: string): number | undefined {
  const channels = channelsOf(colour);
  if (channels === undefined) return undefined;
  const [red, green, blue] = channels.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(colour: string): readonly number[] | undefined {
  const digits = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(colour)?.[1];
  if (digits === undefined) return undefined;
  const pairs = digits.length <= 4 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? []);
  return pairs.slice(0, 3).map((pair) => Number.parseInt(pair, 16));
}
