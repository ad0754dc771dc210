// What the sentences of a decision are made of besides its data: names instead of uuids, where a condition comes from,
// and the templates of the filters. Asked only when a decision is told, never while it is made.

import type { Templates } from './verdict';

export interface Wording {
  /** What a person calls a provider, a host aggregate or a group; undefined: nobody knows a name. */
  readonly nameOf: (uuid: string) => string | undefined;
  /** Everything that asks for a condition, e.g. `the flavor (extra spec trait:CUSTOM_GPU)`; none: not known. */
  readonly originsOf: (condition: ConditionKey) => readonly string[];
  /** What an aggregate set stands for, e.g. `zone az1`; undefined: nothing but its aggregates. */
  readonly meaningOf: (aggregates: readonly string[]) => string | undefined;
  /** The rejection templates of a filter. */
  readonly templatesOf: (filter: string) => Templates | undefined;
}

/** One condition of a resource request. `group` null: of the root provider. */
export interface ConditionKey {
  readonly kind: 'class' | 'trait' | 'forbidden_trait';
  readonly group: string | null;
  readonly name: string;
}

export const PLAIN_WORDING: Wording = Object.freeze({
  nameOf: () => undefined,
  originsOf: () => [],
  meaningOf: () => undefined,
  templatesOf: () => undefined,
});

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

/** The text with names in the place of the uuids that have one. */
export const withNames = (text: string, nameOf: Wording['nameOf']): string =>
  text.replace(UUID, (uuid) => nameOf(uuid.toLowerCase()) ?? uuid);
