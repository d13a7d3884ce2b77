import { conventionsOf, kindsOf, type OntologyModel } from '../model/ontology-model.ts';
import { type Convention, KIND_TERMS } from '../model/vocabulary.ts';
import { createResourceRule, type Rule } from './rule.ts';

const EXPECTED = [...KIND_TERMS.values()].filter(({ preferred }) => preferred === undefined).map(({ short }) => short);

export const KIND_RULES: readonly Rule[] = [
  createResourceRule(
    'kind',
    'rdf:type says whether it is a class, a relationship property or an attribute property.',
    function* (resource) {
      const kinds = kindsOf(resource);
      if (kinds.length === 0) {
        yield ['error', `${resource.id} has no rdf:type that says its kind; expected one of ${EXPECTED.join(', ')}`];
      } else if (kinds.length > 1) {
        yield ['error', `${resource.id} is declared as ${kinds.join(' and ')}; expected one kind`];
      }
    },
  ),
  /** Terms beside the authoring table that authors write, and that are accepted. */
  createResourceRule('kind-term', 'The kind is said with a term of the authoring table.', function* (resource) {
    for (const type of resource.kindTypes) {
      const term = KIND_TERMS.get(type);
      if (term?.preferred !== undefined)
        yield ['note', `${resource.id} is an ${term.short}; the authoring table has ${term.preferred}`];
    }
  }),
  createResourceRule(
    'convention',
    'RDFS and OWL are not mixed; an extension follows the ontology that it extends.',
    function* (resource, { ontology, base }) {
      const used = conventionsOf(resource);
      if (used.length > 1) {
        yield ['warning', `${resource.id} is declared in RDFS and in OWL; expected one convention`];
        return;
      }
      const convention = conventionOf(base ?? ontology);
      if (used[0] === undefined || convention === undefined || used[0] === convention) return;
      const where = base === undefined ? 'most of this ontology follows' : 'the ontology that it extends follows';
      yield ['warning', `${resource.id} is declared in ${used[0]}; ${where} ${convention}`];
    },
  ),
];

const known = new WeakMap<OntologyModel, Convention | undefined>();

/** The convention of most resources, RDFS when they are even; `undefined` when there are none. */
function conventionOf(model: OntologyModel): Convention | undefined {
  if (!known.has(model)) known.set(model, countConventions(model));
  return known.get(model);
}

function countConventions(model: OntologyModel): Convention | undefined {
  const counts = { RDFS: 0, OWL: 0 };
  for (const resource of model.resources.values()) for (const used of conventionsOf(resource)) counts[used]++;
  if (counts.RDFS + counts.OWL === 0) return undefined;
  return counts.RDFS >= counts.OWL ? 'RDFS' : 'OWL';
}
