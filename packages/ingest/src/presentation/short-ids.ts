import type { SearchIndex } from '@cairn/search';

/** The ids that a short one may stand for, in the order in which they are tried; none for an id that is not short. */
export type Expand = (id: string) => readonly string[];

type ById = Pick<SearchIndex, 'getDocument' | 'getDocuments' | 'states'>;

/**
 * The ways of an index to something by its id, by short ids as well: the UUID that an upload answers, in place of the IRI
 * of the document. What is asked for by its whole id comes first, and answers have the ids that were asked for. What the
 * viewer may not see is as if it were not there, so a short id never tells of it.
 */
export function withShortIds(index: ById, expand: Expand): ById {
  const isShort = (id: string): boolean => expand(id).length > 0;
  return {
    async getDocument(viewer, id, request) {
      let document = await index.getDocument(viewer, id, request);
      if (document !== undefined) return document;
      for (const whole of expand(id)) document ??= await index.getDocument(viewer, whole, request);
      return document;
    },
    async getDocuments(viewer, ids, request) {
      const found = await index.getDocuments(viewer, ids, request);
      if (!ids.some(isShort)) return found;
      return filled(found, expand, (missing) => index.getDocuments(viewer, missing, request));
    },
    async states(viewer, request) {
      const found = await index.states(viewer, request);
      if (!request.ids.some(isShort)) return found;
      return filled(found, expand, (ids) => index.states(viewer, { ...request, ids }));
    },
  };
}

/** Returns what was found, or else what one of the whole ids gives. */
async function filled<Found>(
  found: Readonly<Record<string, Found | null>>,
  expand: Expand,
  find: (ids: readonly string[]) => Promise<Readonly<Record<string, Found | null>>>,
): Promise<Readonly<Record<string, Found | null>>> {
  const whole = new Map<string, readonly string[]>();
  for (const [id, value] of Object.entries(found)) if (value === null) whole.set(id, expand(id));
  const ids = [...whole.values()].flat();
  if (ids.length === 0) return found;
  const more = new Map(Object.entries(await find(ids)));
  const firstOf = (id: string): Found | null =>
    (whole.get(id) ?? []).map((each) => more.get(each) ?? null).find((value) => value !== null) ?? null;
  return Object.fromEntries(Object.entries(found).map(([id, value]) => [id, value ?? firstOf(id)]));
}
