import { describe, expect, it } from 'vitest';
import { resolveExtractionLimits } from '../limits.ts';
import { TextBuilder } from '../text-builder.ts';
import { PageText, type PdfTextItem } from './page-text.ts';

type Run = readonly [str: string, y: number, hasEOL?: boolean, height?: number];

function toText(...runs: readonly Run[]): string {
  const out = new TextBuilder(resolveExtractionLimits({}));
  const page = new PageText(out);
  for (const [str, y, hasEOL = false, height = 12] of runs) {
    page.add({ str, hasEOL, height, transform: [height, 0, 0, height, 72, y] } satisfies PdfTextItem);
  }
  page.end();
  return out.toText();
}

describe('PageText', () => {
  it('joins the lines of a paragraph with a space and runs of a line with nothing', () => {
    expect(toText(['The light', 700], ['house', 700, true], ['stands.', 686])).toBe('The lighthouse stands.');
  });

  it('begins a paragraph after a gap, after a heading, and at the top of a column', () => {
    expect(toText(['Title', 700, true, 20], ['one', 680, true], ['two', 650, true], ['three', 700])).toBe(
      'Title\none\ntwo\nthree',
    );
  });

  it('joins a word broken at the end of a line, and no other', () => {
    expect(toText(['manip-', 700, true], ['ulation', 686])).toBe('manipulation');
    expect(toText(['manip-', 700], ['', 700, true, 0], ['ulation', 686])).toBe('manipulation');
    expect(toText(['ISO-', 700, true], ['8859', 686])).toBe('ISO- 8859');
    expect(toText(['well-', 700], ['known', 700])).toBe('well-known');
    expect(toText(['the end -', 700, true], ['new', 600])).toBe('the end -\nnew');
  });
});
