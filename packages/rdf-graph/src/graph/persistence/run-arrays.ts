import type { PermutationColumns, SetColumn } from '../store/permutation.ts';
import { Run } from '../store/run.ts';
import { damaged, type NamedArrays } from './array-file.ts';

const PERMUTATION_NAMES = ['spo', 'pso', 'pos', 'osp'];

export function toNamedArrays({ arrays }: Run): NamedArrays {
  const named: Record<string, Uint8Array | Uint16Array | Uint32Array> = {
    graphs: arrays.graphs,
    graphStarts: arrays.graphStarts,
    distinctSets: arrays.distinctSets,
  };
  arrays.permutations.forEach(({ a, b, c, sets }, i) => {
    const name = PERMUTATION_NAMES[i];
    named[`${name}.a`] = a;
    named[`${name}.b`] = b;
    named[`${name}.c`] = c;
    named[`${name}.sets`] = sets;
  });
  return named;
}

/** A run from its stored arrays. @throws `ERR_GRAPH_SNAPSHOT` (corrupt) when one is missing. */
export function fromNamedArrays(named: NamedArrays, blob: string): Run {
  const uint32 = (name: string): Uint32Array => {
    const array = named[name];
    if (!(array instanceof Uint32Array)) throw damaged(blob, `array ${name} is missing`);
    return array;
  };
  const permutations: PermutationColumns[] = PERMUTATION_NAMES.map((name) => ({
    a: uint32(`${name}.a`),
    b: uint32(`${name}.b`),
    c: uint32(`${name}.c`),
    sets: setColumn(named[`${name}.sets`], blob),
  }));
  return new Run({
    size: permutations[0].a.length,
    graphs: uint32('graphs'),
    graphStarts: uint32('graphStarts'),
    distinctSets: uint32('distinctSets'),
    permutations,
  });
}

function setColumn(array: NamedArrays[string] | undefined, blob: string): SetColumn {
  if (array instanceof Uint16Array || array instanceof Uint32Array) return array;
  throw damaged(blob, 'a column of label sets is missing');
}
