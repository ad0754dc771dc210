// What forms complete, and what pages call things by: the names that the service knows. Each list is asked for when it is
// needed on the screen, and only by those who may.
import { useMemo } from 'react';
import { pages } from '@berth/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { useSession } from '../session/session';
import { byName } from '../shown/by-name';
import { useAnswer } from './questions';
import type { Service } from './service';
import type { Named } from './reports';
import { readWhole } from './whole';

/** A registry that is longer than this is not offered whole. */
const OFFERED_MAX = 5_000;
const NOTHING: readonly never[] = [];

/** All traits, or those that some provider has. */
export function useTraitNames({ inUse = false } = {}): readonly string[] {
  const ask = async ({ placement }: Service, signal: AbortSignal): Promise<readonly string[]> => {
    const { traits } = await placement.traits.list(inUse ? { associated: 'true' } : {}, { signal });
    return [...traits].sort(byName);
  };
  return useNames('placement:traits:list', ['trait names', inUse], ask).data ?? NOTHING;
}

export function useResourceClassNames(): readonly string[] {
  const ask = async ({ placement }: Service, signal: AbortSignal): Promise<readonly string[]> => {
    const { resource_classes: found } = await placement.resourceClasses.list({ signal });
    return found.map(({ name }) => name).sort(byName);
  };
  return useNames('placement:resource_classes:list', ['resource class names'], ask).data ?? NOTHING;
}

export function useZoneNames(): readonly string[] {
  const ask = async ({ scheduler }: Service, signal: AbortSignal): Promise<readonly string[]> => {
    const { rows } = await readWhole(
      pages(scheduler.availabilityZones.list, {}, { signal }),
      (page) => page.availability_zones,
      OFFERED_MAX,
    );
    return rows.map(({ name }) => name);
  };
  return useNames('berth:scheduler:availability_zones:list', ['zone names'], ask).data ?? NOTHING;
}

export function useHostAggregateNames(): readonly Named[] {
  const ask = async ({ scheduler }: Service, signal: AbortSignal): Promise<readonly Named[]> => {
    const { rows } = await readWhole(
      pages(scheduler.hostAggregates.list, {}, { signal }),
      (page) => page.host_aggregates,
      OFFERED_MAX,
    );
    return rows.map(({ uuid, name }) => ({ uuid, name }));
  };
  return useNames('berth:scheduler:host_aggregates:list', ['host aggregate names'], ask).data ?? NOTHING;
}

/** Names of host aggregates by their uuids. */
export function useNamesOfAggregates(): ReadonlyMap<string, string> {
  const named = useHostAggregateNames();
  return useMemo(() => new Map(named.map(({ uuid, name }) => [uuid, name])), [named]);
}

export function useFlavorNames({ isNeeded = true } = {}): readonly string[] {
  const ask = async ({ scheduler }: Service, signal: AbortSignal): Promise<readonly string[]> => {
    const { rows } = await readWhole(
      pages(scheduler.flavors.list, {}, { signal }),
      (page) => page.flavors,
      OFFERED_MAX,
    );
    return rows.map(({ name }) => name);
  };
  return useNames('berth:scheduler:flavors:list', ['flavor names'], ask, isNeeded).data ?? NOTHING;
}

function useNames<T>(
  rule: string,
  key: readonly unknown[],
  ask: (service: Service, signal: AbortSignal) => Promise<T>,
  isNeeded = true,
): UseQueryResult<T> {
  const { may } = useSession();
  return useAnswer('registries', key, ask, { enabled: isNeeded && may(rule) });
}
