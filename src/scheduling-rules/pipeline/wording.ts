// Inputs for the sentences of a decision beyond its data: names for uuids, origins of conditions, and templates of
// filters. Used only when a decision is rendered.

import type { Templates } from './verdict';

export interface Wording {
  /** The name of a provider, host aggregate or group; undefined if unknown. */
  readonly nameOf: (uuid: string) => string | undefined;
  /** All origins of a condition, e.g. `the flavor (extra spec trait:CUSTOM_GPU)`; empty if unknown. */
  readonly originsOf: (condition: ConditionKey) => readonly string[];
  /** The meaning of an aggregate set, e.g. `zone az1`; undefined if it has none beyond its aggregates. */
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

/** Replaces the uuids that have a name. */
export const withNames = (text: string, nameOf: Wording['nameOf']): string =>
  text.replace(UUID, (uuid) => nameOf(uuid.toLowerCase()) ?? uuid);
