// Resolving styles and checking rules on ontologies of two sizes: npm run bench -- ontology
// No peer does this; linear growth is the aim: cost per class should stay the same.
import { createOntologyModel, createStyle, createStyleResolver, validateOntology } from '@cairn/ontology';
import { DataFactory } from 'n3';

const { namedNode, literal, quad } = DataFactory;
const NS = 'https://example.org/bench#';
const TYPE = namedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#type');
const CLASS = namedNode('http://www.w3.org/2002/07/owl#Class');
const PARENT = namedNode('http://www.w3.org/2000/01/rdf-schema#subClassOf');
const LABEL = namedNode('http://www.w3.org/2000/01/rdf-schema#label');
const STYLE = namedNode('http://telicent.io/ontology/style');
const ROOT = namedNode('http://www.w3.org/2002/07/owl#Thing');

/** A tree with four children a node; every fifth class is styled. */
function ontology(classes) {
  const style = literal(JSON.stringify(createStyle()));
  const quads = [];
  for (let i = 0; i < classes; i++) {
    const subject = namedNode(`${NS}C${i}`);
    quads.push(quad(subject, TYPE, CLASS), quad(subject, LABEL, literal(`Class ${i}`)));
    quads.push(quad(subject, PARENT, i === 0 ? ROOT : namedNode(`${NS}C${Math.floor((i - 1) / 4)}`)));
    if (i % 5 === 0) quads.push(quad(subject, STYLE, style));
  }
  return quads;
}

/** Median milliseconds of several runs. */
function measure(action) {
  const times = [];
  for (let i = 0; i < 7; i++) {
    const start = performance.now();
    action();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[3];
}

const rows = [500, 50_000].map((classes) => {
  const quads = ontology(classes);
  const model = createOntologyModel(quads);
  const row = {
    classes,
    'model ms': measure(() => createOntologyModel(quads)),
    'resolve all ms': measure(() => createStyleResolver(model, { inherit: true }).resolveAll()),
    'validate ms': measure(() => validateOntology(quads)),
  };
  return { ...row, 'resolve us/class': (row['resolve all ms'] * 1000) / classes };
});
console.table(
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Number(value.toFixed(2))]))),
);
