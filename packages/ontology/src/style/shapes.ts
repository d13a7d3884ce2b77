/** The node shapes of Cytoscape, in both spellings that it accepts. */
export const SHAPES: ReadonlySet<string> = new Set(
  (
    'ellipse triangle round-triangle rectangle roundrectangle round-rectangle bottom-round-rectangle ' +
    'cut-rectangle barrel rhomboid right-rhomboid diamond round-diamond pentagon round-pentagon hexagon ' +
    'round-hexagon concave-hexagon heptagon round-heptagon octagon round-octagon star tag round-tag vee'
  ).split(' '),
);

/** Other names that authors use for shapes, and the shapes meant. */
export const SHAPE_ALIASES: ReadonlyMap<string, string> = new Map([
  ['circle', 'ellipse'],
  ['oval', 'ellipse'],
  ['square', 'rectangle'],
  ['box', 'rectangle'],
  ['rounded-rectangle', 'roundrectangle'],
  ['roundedrectangle', 'roundrectangle'],
  ['rhombus', 'diamond'],
  ...[...SHAPES].flatMap((shape): [string, string][] => [[shape.replaceAll('-', ''), shape]]),
]);
