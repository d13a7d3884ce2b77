const IES = 'http://ies.data.gov.uk/ontology/ies4#';

/** The predicates by which states, their sub-states and their periods are told. IRIs. */
import { freezeDeeply } from '@cairn/errors';

export interface StateVocabulary {
  /** From a state to its entity, in the order in which states are listed. */
  readonly links: readonly string[];
  /** From the state that is a beginning. */
  readonly isStartOf: string;
  /** From the state that is an end. */
  readonly isEndOf: string;
  /** From a state to its period. */
  readonly inPeriod: string;
  /** From a period to its text. */
  readonly representation: string;
}

/** The vocabulary of IES 4. */
export const IES_STATES: StateVocabulary = freezeDeeply({
  links: ['isStateOf', 'isStartOf', 'isEndOf', 'owns', 'isPartOf', 'isParticipationOf'].map((name) => IES + name),
  isStartOf: `${IES}isStartOf`,
  isEndOf: `${IES}isEndOf`,
  inPeriod: `${IES}inPeriod`,
  representation: `${IES}iso8601PeriodRepresentation`,
});

/** Options of `createPlatformSchema`. */
export interface PlatformSchemaOptions {
  /** The schema's name: the path segment that it is served under. Default `platform`. */
  readonly name?: string | undefined;
  /** Default {@link IES_STATES}. */
  readonly states?: StateVocabulary | undefined;
  /** Prefixes without colon for short forms, before those of the dataset. Default none. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
}
