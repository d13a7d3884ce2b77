import type { Analyzer } from '../analysis/analyzer.ts';
import { detectLanguage, MAX_SAMPLE, toLanguageCode } from '../analysis/language-detection.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import { fromKeywordTerm } from '../mapping/value.ts';
import type { FieldGroup, LabelledDocument } from './labelled-document.ts';

/** A label that permits everybody. */
const PUBLIC = '*';

/**
 * The same document with the analyzer of each text whose field follows the languages of the index. The values of a field
 * under one label are read as one text, so that the choice depends on nothing that somebody who sees one of them may not see:
 * a language that is stated under another label counts only when everybody sees it. Yields after each detection.
 */
export function* withLanguages(document: LabelledDocument, mapping: IndexMapping): Generator<void, LabelledDocument> {
  const { languages, languageField } = mapping;
  if (languages.length < 2) return document;
  const stated = new Map<string, Analyzer>();
  for (const { path, labels, values } of document.groups) {
    if (path !== languageField) continue;
    const analyzer = values.map((value) => toStated(value, languages)).find((found) => found !== undefined);
    if (analyzer !== undefined) stated.set(labels[0], analyzer);
  }
  const groups: FieldGroup[] = [];
  for (const group of document.groups) {
    const { path, labels, values } = group;
    if (!mapping.field(path).followsLanguages || values.every(({ text }) => text === undefined)) {
      groups.push(group);
      continue;
    }
    let analyzer = stated.get(labels[0]) ?? stated.get(PUBLIC);
    if (analyzer === undefined) {
      analyzer = detectAnalyzer(group, languages);
      yield;
    }
    groups.push({ ...group, values: values.map((value) => ({ ...value, analyzer })) });
  }
  return { ...document, groups };
}

function toStated(
  { text, keyword }: FieldGroup['values'][number],
  languages: readonly Analyzer[],
): Analyzer | undefined {
  const tag = text ?? (keyword === undefined ? '' : fromKeywordTerm(keyword));
  return languages.find(({ name }) => name === toLanguageCode(tag));
}

function detectAnalyzer({ values }: FieldGroup, languages: readonly Analyzer[]): Analyzer {
  let sample = '';
  for (const { text } of values) {
    if (sample.length >= MAX_SAMPLE) break;
    if (text !== undefined) sample += `${text.slice(0, MAX_SAMPLE)} `;
  }
  const names = languages.map(({ name }) => name);
  const found = detectLanguage(sample, names);
  return languages.find(({ name }) => name === found) ?? languages[0];
}
