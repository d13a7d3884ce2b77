import { checkObject } from '@cairn/errors';
import { checkModel, kindsOf, nameOf, type OntologyModel, parentsOf, type Resource } from '../model/ontology-model.ts';
import { parseStyle } from '../style/parse-style.ts';
import { DEFAULT_STYLES, MISSING_COLOURS, type Style } from '../style/style.ts';
import { localNameOf, toFallbackText } from './fallback-text.ts';
import { nearestAncestors } from './nearest-ancestors.ts';
import type { ResolvedStyle } from './resolved-style.ts';

/** Options of {@link createStyleResolver}. */
export interface StyleResolverOptions {
  /** A class without a style takes that of its nearest styled ancestor. Default false. */
  readonly inherit?: boolean;
}

/** Gives each class the style it is drawn with. */
export interface StyleResolver {
  /** The style of a class, complete with defaults, also for a class that is not known. Memoised and frozen. Cost: O(1). */
  resolve(classUri: string): ResolvedStyle;
  /** The styles of every class of the ontology, in its order. */
  resolveAll(): readonly ResolvedStyle[];
}

/**
 * Resolves the styles of an ontology. With `inherit` the nearest styled ancestor counts, by the number of steps along
 * `rdfs:subClassOf`; among several at the same distance the way through the parent with the smaller IRI (by UTF-16 code
 * units) wins at each step. An invalid style counts as none. Cycles do no harm.
 * Cost: O(classes + parents), once; the styles are read at the first call.
 */
export function createStyleResolver(ontology: OntologyModel, options: StyleResolverOptions = {}): StyleResolver {
  checkModel(ontology);
  checkObject(options, 'the options');
  const known = new Map<string, ResolvedStyle>();
  let styles: ReadonlyMap<string, Style> | undefined;
  let sources: ReadonlyMap<string, string> | undefined;
  const resolve = (classUri: string): ResolvedStyle => {
    const before = known.get(classUri);
    if (before !== undefined) return before;
    styles ??= readStyles(ontology);
    // Each styled class is its own nearest one.
    sources ??= nearestAncestors(options.inherit ? parentsOf(ontology) : new Map(), new Set(styles.keys()));
    const source = sources.get(classUri);
    const style = source === undefined ? undefined : styles.get(source);
    const resolved = toResolved(classUri, ontology.resources.get(classUri), source, style);
    // Only classes of the ontology are remembered, so that asking for strange ones does not fill the memory.
    if (ontology.resources.has(classUri)) known.set(classUri, resolved);
    return resolved;
  };
  return {
    resolve,
    resolveAll() {
      const classes = [...ontology.resources.values()].filter(
        (resource) => !resource.isAnonymous && kindsOf(resource).includes('class'),
      );
      return classes.map(({ id }) => resolve(id));
    },
  };
}

function readStyles(ontology: OntologyModel): ReadonlyMap<string, Style> {
  const styles = new Map<string, Style>();
  for (const { id, styles: terms } of ontology.resources.values()) {
    for (const term of terms) {
      if (term.termType !== 'Literal' || styles.has(id)) continue;
      const { style } = parseStyle(term.value);
      if (style !== undefined) styles.set(id, style);
    }
  }
  return styles;
}

function toResolved(
  classUri: string,
  resource: Resource | undefined,
  source: string | undefined,
  style: Style | undefined,
): ResolvedStyle {
  const styles = style?.defaultStyles;
  const icons = style?.defaultIcons;
  const name = resource === undefined ? undefined : nameOf(resource);
  const alt = name ?? localNameOf(classUri);
  // Field by field: spreading three objects for each class took most of the time of resolveAll.
  // Frozen: it is remembered, and classes share colours.
  return Object.freeze({
    classUri,
    source,
    dark: Object.freeze(styles?.dark ?? MISSING_COLOURS),
    light: Object.freeze(styles?.light ?? MISSING_COLOURS),
    shape: styles?.shape ?? DEFAULT_STYLES.shape,
    size: styles?.size ?? style?.size ?? DEFAULT_STYLES.size,
    borderRadius: styles?.borderRadius ?? DEFAULT_STYLES.borderRadius,
    borderWidth: styles?.borderWidth ?? DEFAULT_STYLES.borderWidth,
    selectedBorderWidth: styles?.selectedBorderWidth ?? DEFAULT_STYLES.selectedBorderWidth,
    iconFallbackText: toFallbackText(alt),
    alt,
    riIcon: icons?.riIcon,
    faIcon: icons?.faIcon,
    faUnicode: icons?.faUnicode,
    faClass: icons?.faClass,
  });
}
