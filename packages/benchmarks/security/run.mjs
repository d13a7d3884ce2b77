// A million distinct label evaluations, and a million redactions of a ten-field document.
import { performance } from 'node:perf_hooks';
import {
  createLabelTable,
  createViewer,
  evaluateLabel,
  labelledLeaves,
  parseLabel,
  redactDocument,
} from '@cairn/security';

const COUNT = 1_000_000;
const TIERS = ['O', 'OS', 'S', 'TS'];
const NATIONS = ['GBR', 'FRA', 'USA', 'NLD', 'POL'];

const attributes = { clearance: ['S'], nationality: ['GBR', 'FRA'], group7: ['true'] };
const hierarchies = { clearance: TIERS };
const newViewer = () => createViewer({ attributes, hierarchies });

/** Label number i; no two are equal, and about half permit. */
function distinctLabel(i) {
  const clearance = TIERS[i % TIERS.length];
  const nation = NATIONS[i % NATIONS.length];
  return `clearance=${clearance}&(nationality=${nation}|nationality=USA)&(group${i}|project!=p${i}|group7)`;
}

function document(i) {
  return {
    uri: `https://example.org/documents/${i}`,
    primaryName: 'Lunar module',
    types: ['Vehicle', 'Spacecraft'],
    content: 'The lunar module carried two astronauts from lunar orbit to the surface and back.',
    literals: { 'rdfs:label': ['Eagle', 'LM-5'], 'rdfs:comment': ['Apollo 11'] },
    start: '1969-07-16',
    end: '1969-07-24',
    isState: false,
    mass: 15_103,
    isIdentifiedBy: [
      { representationValue: 'LM-5', types: ['Identifier'], securityLabels: { defaults: 'clearance=TS' } },
    ],
    securityLabels: {
      defaults: 'clearance=O',
      types: ['', 'clearance=TS'],
      content: 'clearance=S&nationality=GBR',
      mass: 'clearance=TS',
      literals: 'nationality=GBR|nationality=USA',
    },
  };
}

function measure(name, count, run) {
  const start = performance.now();
  const result = run();
  const ms = performance.now() - start;
  const perSecond = Math.round((count / ms) * 1000);
  return { operation: name, count, seconds: Number((ms / 1000).toFixed(2)), 'per second': perSecond, result };
}

function countUp(count, once) {
  let permitted = 0;
  for (let i = 0; i < count; i++) if (once(i)) permitted++;
  return permitted;
}

const labels = Array.from({ length: COUNT }, (_, i) => distinctLabel(i));
const documents = Array.from({ length: 100 }, (_, i) => document(i));
const table = createLabelTable(labels);
const viewer = newViewer();

const rows = [
  measure('parse a distinct label', COUNT, () => countUp(COUNT, (i) => parseLabel(labels[i]))),
  measure('parse and evaluate a distinct label', COUNT, () =>
    countUp(COUNT, (i) => evaluateLabel(parseLabel(labels[i]), attributes, hierarchies)),
  ),
  measure('viewer decides a distinct label by text', COUNT, () => {
    const fresh = newViewer();
    return countUp(COUNT, (i) => fresh.permits(labels[i]));
  }),
  measure('viewer decides a table of distinct labels', COUNT, () => {
    const decisions = newViewer().permittedLabels(table);
    return countUp(COUNT, (i) => decisions[i] === 1);
  }),
  measure('redact a ten-field document', COUNT, () =>
    countUp(COUNT, (i) => redactDocument(documents[i % 100], viewer)),
  ),
  measure('redact it and show its labels', COUNT, () =>
    countUp(COUNT, (i) => redactDocument(documents[i % 100], viewer, { showSecurityLabels: true })),
  ),
  measure('labelled leaves of a ten-field document', COUNT / 10, () =>
    countUp(COUNT / 10, (i) => labelledLeaves(documents[i % 100])),
  ),
];

const decided = new Set(rows.slice(1, 4).map((row) => row.result));
if (decided.size !== 1) throw new Error(`the three ways of deciding must agree; got ${[...decided].join(', ')}`);
console.table(rows);
