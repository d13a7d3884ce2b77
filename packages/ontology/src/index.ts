export { checkOntology, type OntologyReading, type OntologySource, readOntology } from './check/check-source.ts';
export { type ValidateOntologyOptions, validateOntology, validateOntologyInSteps } from './check/validate-ontology.ts';
export { type Finding, hasSeverity, type Severity } from './finding/finding.ts';
export {
  createOntologyModel,
  type OntologyModel,
  type OntologyModelOptions,
  type Resource,
} from './model/ontology-model.ts';
export type { SourceLines } from './model/source-lines.ts';
export { DEFAULT_STYLE_PREDICATE } from './model/vocabulary.ts';
export { createPreviewPage, type PreviewOptions } from './preview/preview-page.ts';
export { type FlatStyle, type ResolvedStyle, toFlatStyle } from './resolve/resolved-style.ts';
export { createStyleResolver, type StyleResolver, type StyleResolverOptions } from './resolve/style-resolver.ts';
export { withSubclasses } from './resolve/subclasses.ts';
export type { Rule, RuleContext } from './rules/rule.ts';
export { RULES } from './rules/rules.ts';
export { type ParsedStyle, parseStyle } from './style/parse-style.ts';
export { type JsonSchema, STYLE_SCHEMA } from './style/schema.ts';
export { SHAPES } from './style/shapes.ts';
export type { DefaultIcons, DefaultStyles, Style, Theme, ThemeColours } from './style/style.ts';
export { type StyleContext, validateStyle } from './style/validate-style.ts';
export { createStyle, type StyleChoices } from './write/create-style.ts';
export { type SetStyleOptions, setStyle, toStyleTurtle } from './write/set-style.ts';
