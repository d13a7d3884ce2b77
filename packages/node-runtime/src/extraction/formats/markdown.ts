import { decodeText } from '../charset/text.ts';
import { TooMuchTextError } from '../extraction-error.ts';
import type { FormatReader } from '../format-reader.ts';
import { addProperty, type Properties } from '../xml/properties.ts';

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)(?:\r?\n|$)/;
const FRONT_MATTER_LINE = /^(title|author|date|lang|language|description|keywords|tags):[ \t]*(\S.*)$/gm;
const FRONT_MATTER_NAMES: Readonly<Record<string, string>> = {
  author: 'creator',
  lang: 'language',
  keywords: 'subject',
  tags: 'subject',
};

/** Markdown: its text as it is written, less the front matter, which gives the metadata; the title may be a heading. */
export const readMarkdown: FormatReader = ({ bytes, charset: declared }, { limits, text: out }) => {
  if (bytes.length > limits.maxTextBytes) throw new TooMuchTextError('the text', limits.maxTextBytes, 'bytes');
  const { text, charset } = decodeText(bytes, { declared });
  const frontMatter = FRONT_MATTER.exec(text);
  const body = text.slice(frontMatter?.[0].length ?? 0).replaceAll(/\r\n?/g, '\n');
  const properties: Properties = { metadata: {} };
  for (const [, key = '', value = ''] of frontMatter?.[1]?.matchAll(FRONT_MATTER_LINE) ?? []) {
    addProperty(properties, FRONT_MATTER_NAMES[key] ?? key, 'keywords', unquote(value.trim()));
  }
  out.appendVerbatim(body.trim());
  return { title: properties.title ?? findHeading(body), metadata: { ...properties.metadata, charset } };
};

function unquote(value: string): string {
  return value.replace(/^(["'[])(.*)["'\]]$/, '$2');
}

/** The first heading, either kind (CommonMark, 4.2 and 4.3), outside fenced code. */
function findHeading(body: string): string | undefined {
  const text = body.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '');
  const heading = /^#{1,6}[ \t]+(.+?)[ \t]*#*$|^(\S.*)\n(?:=+|-+)[ \t]*$/m.exec(text);
  return heading?.[1] ?? heading?.[2];
}
