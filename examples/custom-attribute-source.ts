/**
 * Users of one's own: a directory gives what is known about a user, and the engines are handed a viewer made from it.
 *
 * `@cairn/security` authenticates nobody. Who is asking has been established before, by a session or a token.
 */
import { type Attributes, attributesFromJson, createViewer, createViewerOfNothing, type Viewer } from '@cairn/security';

// Stands for LDAP, a database or another service: any function from a user name to JSON.
async function readDirectory(user: string): Promise<unknown> {
  const entries: Record<string, unknown> = {
    // Objects become names with dots, lists several values, numbers and booleans text.
    ada: { clearance: 'S', nationality: ['GBR', 'FRA'], staff: true, unit: { name: 'harbour', floor: 2 } },
    // Expressions in the grammar of labels, as some identity services give them.
    max: { abac_attributes: ['clearance=O', 'nationality=DEU', 'staff'] },
    eve: { clearance: { toString: 'S' }, '': 'x' },
  };
  return entries[user];
}

const hierarchies = { clearance: ['O', 'OS', 'S', 'TS'] };
const viewers = new Map<string, Promise<Viewer>>();

// A viewer remembers its decisions by label, so one per user is kept, and made again when the user's attributes change.
function viewerOf(user: string): Promise<Viewer> {
  let viewer = viewers.get(user);
  if (viewer === undefined) {
    viewer = createViewerFor(user);
    viewers.set(user, viewer);
  }
  return viewer;
}

async function createViewerFor(user: string): Promise<Viewer> {
  const entry = await readDirectory(user);
  // Somebody of whom nothing is known sees nothing, not even what is labelled `*`.
  if (entry === undefined) return createViewerOfNothing();
  const attributes: Attributes = attributesFromJson(entry);
  console.log(user, JSON.stringify(attributes));
  return createViewer({ attributes, hierarchies });
}

for (const user of ['ada', 'max', 'somebody']) {
  const viewer = await viewerOf(user);
  const labels = ['*', 'clearance=OS', 'unit.name=harbour', 'staff & (nationality=DEU | nationality=FRA)'];
  console.log(user, labels.map((label) => viewer.permits(label)).join(' '));
}

// A malformed entry is refused, never half understood. The message names the place, not the value.
await viewerOf('eve').catch((error: Error) => console.log(error.message));

/* Prints:
ada {"clearance":["S"],"nationality":["GBR","FRA"],"staff":["true"],"unit.name":["harbour"],"unit.floor":["2"]}
ada true true true true
max {"clearance":["O"],"nationality":["DEU"],"staff":["true"]}
max true false false true
somebody false false false false
an attribute must have a name; got ""
*/
