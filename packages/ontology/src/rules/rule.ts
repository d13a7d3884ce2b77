import type { Finding, Severity } from '../finding/finding.ts';
import type { OntologyModel, Resource } from '../model/ontology-model.ts';
import { kindsOf } from '../model/ontology-model.ts';
import { BUILT_IN_KINDS, type ResourceKind } from '../model/vocabulary.ts';

/** Input of a rule. */
export interface RuleContext {
  /** The ontology that is checked. */
  readonly ontology: OntologyModel;
  /** The ontology that it extends; `undefined` when it is checked alone. */
  readonly base: OntologyModel | undefined;
  /** True when it is itself a base ontology: roots without a parent and resources without a name are no errors then. */
  readonly isBase: boolean;
}

/** One rule of authoring. */
export interface Rule {
  /** Stable across releases. */
  readonly name: string;
  /** Requirement of the rule, in one sentence. */
  readonly asks: string;
  readonly check: (context: RuleContext) => Iterable<Finding>;
}

export function findingAbout(rule: string, severity: Severity, resource: Resource, message: string): Finding {
  return { rule, severity, subject: resource.id, line: resource.line, message };
}

/** A rule that looks at one resource after the other. Anonymous class expressions are not looked at. */
export function createResourceRule(
  name: string,
  asks: string,
  check: (resource: Resource, context: RuleContext) => Iterable<[Severity, string]>,
): Rule {
  return {
    name,
    asks,
    *check(context) {
      for (const resource of context.ontology.resources.values()) {
        if (resource.isAnonymous) continue;
        for (const [severity, message] of check(resource, context)) {
          yield findingAbout(name, severity, resource, message);
        }
      }
    },
  };
}

/** The kinds of a resource that is known here, in the base, or built in; `undefined` when it is not known. */
export function knownKinds(id: string, { ontology, base }: RuleContext): readonly ResourceKind[] | undefined {
  const resource = ontology.resources.get(id) ?? base?.resources.get(id);
  if (resource !== undefined) return kindsOf(resource);
  const builtIn = BUILT_IN_KINDS.get(id);
  return builtIn === undefined ? undefined : [builtIn];
}
