import type { TextBuilder } from '../text-builder.ts';
import type { XmlElement, XmlHandler } from '../xml/sax.ts';

/** How the text of one XML vocabulary is found, by local names. */
export interface MarkupRules {
  /** Elements whose text counts. Absent: the text of every element. */
  readonly text?: ReadonlySet<string>;
  readonly paragraph: ReadonlySet<string>;
  readonly insert?: Readonly<Record<string, string | ((element: XmlElement) => string)>>;
  readonly skip?: ReadonlySet<string>;
}

/** A handler that writes a document's text as the rules find it. */
export function createMarkupHandler(rules: MarkupRules, out: TextBuilder): XmlHandler {
  let skipping = 0;
  let textDepth = rules.text === undefined ? 1 : 0;
  return {
    open: (element) => {
      const { local } = element;
      if (skipping > 0 || rules.skip?.has(local)) {
        skipping++;
        return;
      }
      if (rules.text?.has(local)) textDepth++;
      if (rules.paragraph.has(local)) out.endParagraph();
      const insert = rules.insert?.[local];
      if (insert !== undefined) out.append(typeof insert === 'string' ? insert : insert(element));
    },
    close: (local) => {
      if (skipping > 0) {
        skipping--;
        return;
      }
      if (rules.text?.has(local)) textDepth--;
      if (rules.paragraph.has(local)) out.endParagraph();
    },
    text: (text) => {
      if (skipping === 0 && textDepth > 0) out.append(text);
    },
  };
}
