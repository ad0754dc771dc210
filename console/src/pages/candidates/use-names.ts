// What the form completes: classes, traits, and aggregates, which people know by the names of host aggregates.
import { useMemo } from 'react';
import { useAnswer } from '../../service/questions';
import { useSession } from '../../session/session';
import { sortedClasses } from '../../shown/amount';

export interface KnownNames {
  readonly resourceClasses: readonly string[];
  readonly traits: readonly string[];
  readonly aggregates: readonly string[];
  /** The uuid of a host aggregate's name; anything else is itself. */
  readonly uuidOf: (name: string) => string;
  readonly nameOf: (uuid: string) => string;
}

export function useNames(): KnownNames {
  const { may } = useSession();
  const classes = useAnswer('registries', ['resource classes'], ({ placement }, signal) =>
    placement.resourceClasses.list({ signal }),
  );
  const traits = useAnswer('registries', ['traits'], ({ placement }, signal) => placement.traits.list({}, { signal }));
  const aggregates = useAnswer(
    'registries',
    ['host aggregates'],
    ({ scheduler }, signal) => scheduler.hostAggregates.list({}, { signal }),
    { enabled: may('berth:scheduler:host_aggregates:list') },
  );
  return useMemo(() => {
    const named = aggregates.data?.host_aggregates ?? [];
    const byName = new Map(named.map(({ name, uuid }) => [name, uuid]));
    const byUuid = new Map(named.map(({ name, uuid }) => [uuid, name]));
    return {
      resourceClasses: sortedClasses((classes.data?.resource_classes ?? []).map(({ name }) => name)),
      traits: traits.data?.traits ?? [],
      aggregates: [...byName.keys()],
      uuidOf: (name) => byName.get(name) ?? name,
      nameOf: (uuid) => byUuid.get(uuid) ?? uuid,
    };
  }, [classes.data, traits.data, aggregates.data]);
}
