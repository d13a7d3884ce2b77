import { createStyleResolver, type Theme, toFlatStyle } from '@cairn/ontology';
import type { VisibleOntology } from './visible-ontology.ts';

export type OntologyQuestion =
  | { readonly type: 'findings' }
  | {
      readonly type: 'styles';
      /** IRIs; empty for every class. */
      readonly classes: readonly string[];
      readonly theme: Theme;
      readonly inherit: boolean;
    };

/** The answer as JSON. */
export function viewOntology({ findings, model }: VisibleOntology, question: OntologyQuestion): unknown {
  if (question.type === 'findings') return { findings };
  const { classes, theme, inherit } = question;
  const resolver = createStyleResolver(model, { inherit });
  const styles = classes.length === 0 ? resolver.resolveAll() : classes.map((iri) => resolver.resolve(iri));
  return { styles: styles.map((style) => toFlatStyle(style, theme)) };
}
