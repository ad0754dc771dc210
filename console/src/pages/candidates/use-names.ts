// Names for completion in the form: classes, traits, and aggregates by the names of host aggregates.
import { useMemo } from 'react';
import { useHostAggregateChoices, useResourceClassNames, useTraitNames } from '../../service/registries';
import { sortedClasses } from '../../shown/amount';

export interface KnownNames {
  readonly resourceClasses: readonly string[];
  readonly traits: readonly string[];
  readonly aggregates: readonly string[];
  /** The uuid of a host aggregate's name; any other text is returned unchanged. */
  readonly uuidOf: (name: string) => string;
  readonly nameOf: (uuid: string) => string;
}

export function useNames(): KnownNames {
  const classes = useResourceClassNames();
  const traits = useTraitNames();
  const aggregates = useHostAggregateChoices();
  return useMemo(() => {
    const uuids = new Map(aggregates.map(({ label, value }) => [label, value]));
    const names = new Map(aggregates.map(({ label, value }) => [value, label]));
    return {
      resourceClasses: sortedClasses(classes),
      traits,
      aggregates: [...uuids.keys()],
      uuidOf: (name) => uuids.get(name) ?? name,
      nameOf: (uuid) => names.get(uuid) ?? uuid,
    };
  }, [classes, traits, aggregates]);
}
