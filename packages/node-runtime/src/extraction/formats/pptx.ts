import { readRelationships } from '../archive/relationships.ts';
import type { FormatReader } from '../format-reader.ts';
import { createMarkupHandler, type MarkupRules } from './markup-text.ts';
import { type OfficeDocument, readOffice } from './office.ts';

const RULES: MarkupRules = {
  text: new Set(['t']),
  paragraph: new Set(['p']),
  insert: { br: ' ', tab: '\t' },
  // A field on a notes page holds the number of the slide.
  skip: new Set(['Fallback', 'fld', 'pPr']),
};

/** PPTX: the slides in the order of the show, each followed by its notes. */
export const readPptx: FormatReader = (input, context) =>
  readOffice(input, context, async (document) => {
    const slides = await listSlides(document);
    document.properties.metadata['slides'] = slides.length;
    for (const slide of slides) {
      await document.archive.parse(slide, createMarkupHandler(RULES, context.text));
      const related = await readRelationships(document.archive, slide);
      const notes = related.find(({ type }) => type === 'notesSlide')?.target;
      await document.archive.parse(notes, createMarkupHandler(RULES, context.text));
    }
  });

async function listSlides(document: OfficeDocument): Promise<string[]> {
  const targets = new Map(document.parts.map(({ id, target }) => [id, target]));
  const slides: string[] = [];
  await document.archive.parse(document.main, {
    open: (element) => {
      // The slide has two attributes named id; the one with the prefix names the relationship.
      const target = element.local === 'sldId' ? targets.get(element.prefixed('id') ?? '') : undefined;
      if (target !== undefined) slides.push(target);
    },
  });
  return slides;
}
