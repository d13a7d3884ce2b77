/** The corners of a regular polygon with its first corner at the top, as percentages for `clip-path`. */
function regular(corners: number): string {
  return Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners - Math.PI / 2;
    return point(50 + 50 * Math.cos(angle), 50 + 50 * Math.sin(angle));
  }).join(', ');
}

function star(): string {
  return Array.from({ length: 10 }, (_, i) => {
    const angle = (Math.PI * i) / 5 - Math.PI / 2;
    const radius = i % 2 === 0 ? 50 : 20;
    return point(50 + radius * Math.cos(angle), 50 + radius * Math.sin(angle));
  }).join(', ');
}

function point(x: number, y: number): string {
  return `${x.toFixed(1)}% ${y.toFixed(1)}%`;
}

/** Shapes whose round form is drawn with the same corners. */
const SHARP: readonly (readonly [string, string])[] = [
  ['triangle', '50% 0%, 100% 100%, 0% 100%'],
  ['diamond', '50% 0%, 100% 50%, 50% 100%, 0% 50%'],
  ['pentagon', regular(5)],
  ['hexagon', '25% 0%, 75% 0%, 100% 50%, 75% 100%, 25% 100%, 0% 50%'],
  ['heptagon', regular(7)],
  ['octagon', '30% 0%, 70% 0%, 100% 30%, 100% 70%, 70% 100%, 30% 100%, 0% 70%, 0% 30%'],
  ['tag', '0% 0%, 75% 0%, 100% 50%, 75% 100%, 0% 100%'],
];

/** The outlines of the shapes that are no rectangle and no ellipse, as polygons for `clip-path`. */
export const SHAPE_CLIPS: ReadonlyMap<string, string> = new Map([
  ...SHARP,
  ...SHARP.map(([shape, clip]) => [`round-${shape}`, clip] as const),
  ['concave-hexagon', '0% 0%, 100% 0%, 85% 50%, 100% 100%, 0% 100%, 15% 50%'],
  ['star', star()],
  ['vee', '0% 0%, 50% 30%, 100% 0%, 50% 100%'],
  ['rhomboid', '0% 0%, 70% 0%, 100% 100%, 30% 100%'],
  ['right-rhomboid', '30% 0%, 100% 0%, 70% 100%, 0% 100%'],
  ['cut-rectangle', '20% 0%, 80% 0%, 100% 20%, 100% 80%, 80% 100%, 20% 100%, 0% 80%, 0% 20%'],
]);
