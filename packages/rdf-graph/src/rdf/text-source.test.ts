import { describe, expect, it } from 'vitest';
import { parseRdfBatches } from './parse.ts';
import { ReadingTurns } from './text-source.ts';

const KI = 1 << 10;

/** Reads pieces as long as they may be; gives the stretches between turns, in units. */
function stretchesOf(turns: ReadingTurns, units: number, quadsPerPiece: number): number[] {
  const stretches = [0];
  for (let read = 0; read < units; ) {
    const piece = turns.pieceUnits;
    if (turns.isDueBefore(piece)) stretches.push(0);
    stretches[stretches.length - 1] += piece;
    read += piece;
    turns.made(quadsPerPiece);
  }
  return stretches;
}

describe('turns between the pieces of a text', () => {
  it('come every 16 Ki units where nothing else is said', () => {
    expect(stretchesOf(new ReadingTurns(), 1_000 * KI, 10).every((units) => units === 16 * KI)).toBe(true);
  });

  it('come as often in a short text, and in a long one as seldom as was said', () => {
    const stretches = stretchesOf(new ReadingTurns(256 * KI), 16_000 * KI, 10);
    expect(stretches.slice(0, 8)).toEqual(Array(8).fill(16 * KI));
    expect(Math.max(...stretches)).toBe(256 * KI);
    expect(stretches.length).toBeLessThan(120);
  });

  it('come after each piece that gives thousands of quads', () => {
    const turns = new ReadingTurns(256 * KI);
    const stretches = stretchesOf(turns, 16_000 * KI, 4 * KI);
    expect(Math.max(...stretches)).toBe(turns.pieceUnits);
  });

  it('bound how many quads are read from one to the next', async () => {
    const line = '<u:s><u:p><u:o>.\n';
    let quads = 0;
    let most = 0;
    let isReading = true;
    const turn = (): void => {
      most = Math.max(most, quads);
      quads = 0;
      if (isReading) setImmediate(turn);
    };
    setImmediate(turn);
    for await (const batch of parseRdfBatches(line.repeat(100_000), { contentType: 'application/n-triples' })) {
      quads += batch.length;
    }
    isReading = false;
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(4 * KI + (64 * KI) / line.length);
  });
});
