import { ExtractionLimitError } from '../extraction-error.ts';
import type { FormatReader } from '../format-reader.ts';
import type { TextBuilder } from '../text-builder.ts';
import { addProperty, type Properties, TERM_NAMES } from '../xml/properties.ts';
import { parseXml, type XmlElement, type XmlHandler } from '../xml/sax.ts';

const DUBLIN_CORE = /^http:\/\/purl\.org\/dc\//;

/** XML of any vocabulary: its text, with the language of the root and the Dublin Core elements in it. */
export const readXml: FormatReader = ({ bytes, charset: declared }, { limits, text }) => {
  if (bytes.length > limits.maxEntryBytes) throw new ExtractionLimitError('the XML', limits.maxEntryBytes, 'bytes');
  const properties: Properties = { metadata: {} };
  const { charset } = parseXml(bytes, limits.maxDepth, createHandler(text, properties), declared);
  return { title: properties.title, metadata: { ...properties.metadata, charset } };
};

interface OpenElement {
  readonly term: string | undefined;
  /** True when text stands directly in it, so that the elements in it are words of a sentence. */
  mixed: boolean;
  text: string;
}

function createHandler(out: TextBuilder, properties: Properties): XmlHandler {
  const stack: OpenElement[] = [];
  const separate = (): void => {
    if (!stack.at(-1)?.mixed) out.endParagraph();
  };
  return {
    open: (element) => {
      separate();
      const language = stack.length === 0 ? element.prefixed('lang') : undefined;
      if (language) properties.metadata['language'] = language;
      stack.push({ term: findTerm(element), mixed: false, text: '' });
    },
    text: (text) => {
      const current = stack.at(-1);
      if (current === undefined) return;
      if (text.trim() !== '') current.mixed = true;
      if (current.term !== undefined) current.text += text;
      out.append(text);
    },
    close: (local) => {
      const closed = stack.pop();
      const value = closed?.text.trim();
      if (closed?.term !== undefined && value) addProperty(properties, closed.term, local, value);
      separate();
    },
  };
}

function findTerm({ local, uri }: XmlElement): string | undefined {
  return local === 'title' || DUBLIN_CORE.test(uri) ? TERM_NAMES.get(local) : undefined;
}
