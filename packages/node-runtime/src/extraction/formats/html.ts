import { type Handler, Parser } from 'htmlparser2';
import { decodeText, XML_ENCODING } from '../charset/text.ts';
import { ExtractionLimitError } from '../extraction-error.ts';
import type { FormatReader, Metadata } from '../format-reader.ts';
import type { TextBuilder } from '../text-builder.ts';

/** Where a `<meta charset>` must stand (HTML, 4.2.5.4). */
const META_BYTES = 1024;
const META_CHARSET = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i;

/** HTML and XHTML: what a reader of the page would see, with its title, language and `<meta>`. */
export const readHtml: FormatReader = ({ bytes, charset: declared }, { limits, text: out }) => {
  if (bytes.length > limits.maxEntryBytes) throw new ExtractionLimitError('the page', limits.maxEntryBytes, 'bytes');
  const { text, charset } = decodeText(bytes, { declared, embedded: findEmbeddedCharset(bytes) });
  const handler = new HtmlHandler(out, limits.maxDepth);
  new Parser(handler, { decodeEntities: true }).end(text);
  return { title: handler.title, metadata: { ...handler.metadata, charset } };
};

function findEmbeddedCharset(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, META_BYTES)).toString('latin1');
  return (XML_ENCODING.exec(start) ?? META_CHARSET.exec(start))?.[1];
}

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const BLOCKS = names(
  'address article aside blockquote body br caption dd details dialog div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol optgroup option p pre section select ' +
    'summary table tbody tfoot thead title tr ul',
);
const HIDDEN = names('script style noscript template iframe object svg math canvas audio video');
const VOID = names('area base br col embed hr img input link meta source track wbr');

/** Dublin Core names of `<meta name>`. */
const META_NAMES: ReadonlyMap<string, string> = new Map([
  ['author', 'creator'],
  ['description', 'description'],
  ['keywords', 'subject'],
  ...['creator', 'subject', 'publisher', 'contributor', 'created', 'modified', 'language', 'rights', 'date'].flatMap(
    (name): [string, string][] => [
      [`dc.${name}`, name],
      [`dcterms.${name}`, name],
    ],
  ),
]);

/** Collects the visible text, the title and the metadata of a page from the parser's events. */
class HtmlHandler implements Partial<Handler> {
  readonly metadata: Metadata = {};
  readonly #out: TextBuilder;
  readonly #maxDepth: number;
  #title: string | undefined;
  #depth = 0;
  #hiddenAt = 0;
  #inTitle = false;

  constructor(out: TextBuilder, maxDepth: number) {
    this.#out = out;
    this.#maxDepth = maxDepth;
  }

  get title(): string | undefined {
    return this.#title?.replaceAll(/\s+/g, ' ').trim() || undefined;
  }

  onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
    if (++this.#depth > this.#maxDepth && !VOID.has(name)) {
      throw new ExtractionLimitError('elements inside each other', this.#maxDepth, 'deep');
    }
    if (this.#hiddenAt > 0) return;
    if (isHidden(name, attributes)) this.#hiddenAt = this.#depth;
    if (name === 'html' && attributes['lang']) this.metadata['language'] = attributes['lang'];
    if (name === 'meta') this.#readMeta(attributes);
    if (name === 'title' && this.#title === undefined) this.#inTitle = true;
    this.#separate(name);
  }

  ontext(text: string): void {
    if (this.#inTitle) this.#title = (this.#title ?? '') + text;
    else if (this.#hiddenAt === 0) this.#out.append(text);
  }

  onclosetag(name: string): void {
    if (this.#depth === this.#hiddenAt) this.#hiddenAt = 0;
    this.#depth--;
    if (name === 'title') this.#inTitle = false;
    if (this.#hiddenAt === 0) this.#separate(name);
  }

  onend(): void {
    this.#out.endParagraph();
  }

  #separate(name: string): void {
    if (BLOCKS.has(name)) this.#out.endParagraph();
    else if (name === 'td' || name === 'th') this.#out.append('\t');
  }

  #readMeta({ name, content }: Readonly<Record<string, string>>): void {
    const key = name === undefined ? undefined : META_NAMES.get(name.toLowerCase());
    if (key === undefined || !content?.trim()) return;
    this.metadata[key] = key === 'subject' ? content.split(/\s*,\s*/).filter(Boolean) : content.trim();
  }
}

function isHidden(name: string, { hidden }: Readonly<Record<string, string>>): boolean {
  return HIDDEN.has(name) || (hidden !== undefined && hidden !== 'until-found');
}
