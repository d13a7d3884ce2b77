import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { stringLiteral } from '../../rdf/terms.ts';
import { type FunctionDefinition, type FunctionTable, totalLength } from './definition.ts';
import { simpleArgument } from './string-argument.ts';

/** The slowest of them. */
const STEPS_PER_UNIT = 6;

function hash(name: string, digest: (text: Uint8Array) => Uint8Array): [string, FunctionDefinition] {
  return [
    name,
    {
      minArgs: 1,
      maxArgs: 1,
      cost: (args) => STEPS_PER_UNIT * totalLength(args),
      call: ([term]) => stringLiteral(bytesToHex(digest(new TextEncoder().encode(simpleArgument(term, name))))),
    },
  ];
}

/** The hash functions (SPARQL 1.1, 17.4.6): hex in lower case, over UTF-8. */
export const HASH_FUNCTIONS: FunctionTable = new Map([
  hash('md5', md5),
  hash('sha1', sha1),
  hash('sha256', sha256),
  hash('sha384', sha384),
  hash('sha512', sha512),
]);
