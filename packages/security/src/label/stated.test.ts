import { describe, expect, it } from 'vitest';
import { createViewer } from '../viewer/create-viewer.ts';
import { checkStatedLabel } from './stated.ts';

const writer = createViewer({ attributes: { clearance: ['S'] }, hierarchies: { clearance: ['O', 'S', 'TS'] } });
const where = 'the header Security-Label';

describe('a label that somebody states', () => {
  it.each(['*', 'clearance=O', 'clearance=S', 'clearance=TS|clearance=O'])(
    'may be %j, which its writer may read',
    (label) => {
      expect(() => checkStatedLabel(label, { where, writer })).not.toThrow();
    },
  );

  it.each([
    ['clearance=TS', 'must be one that the sender may read; got "clearance=TS"'],
    ['!', 'must be one that the sender may read'],
    ['clearance=', 'is malformed'],
    [' ', 'is blank'],
  ])('must not be %j', (label, message) => {
    const check = () => checkStatedLabel(label, { where, writer });
    expect(check).toThrow(expect.objectContaining({ code: 'ERR_SECURITY_LABEL', kind: 'invalid' }));
    expect(check).toThrow(`${where} ${message}`);
  });

  it('may be one that an operator could not read, but none that is malformed', () => {
    expect(() => checkStatedLabel('clearance=TS', { where, writer: undefined })).not.toThrow();
    expect(() => checkStatedLabel('clearance=', { where, writer: undefined })).toThrow('is malformed');
  });

  it('says where a malformed label is wrong', () => {
    const check = () => checkStatedLabel('clearance=', { where, writer });
    expect(check).toThrow(expect.objectContaining({ position: { offset: 10, line: 1, column: 11 } }));
  });
});
