// Names for completion and display. Each list is read only when a page needs it and the user's roles permit it.
import { pages } from '@berth/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSession } from '../session/session';
import { byName } from '../shown/by-name';
import { useAnswer } from './questions';
import type { Named } from './reports';
import type { Service } from './service';
import { readWhole } from './whole';

/** Longer registries are truncated. */
const OFFERED_MAX = 5_000;
const NOTHING: readonly never[] = [];

/** All traits, or only those that some provider has. */
export function useTraitNames({ inUse = false, isNeeded = true } = {}): readonly string[] {
  const ask = async ({ placement }: Service, signal: AbortSignal): Promise<readonly string[]> => {
    const { traits } = await placement.traits.list(inUse ? { associated: 'true' } : {}, { signal });
    return [...traits].sort(byName);
  };
  return useNames('placement:traits:list', ['trait names', inUse], ask, isNeeded).data ?? NOTHING;
}

export function useResourceClassNames(): readonly string[] {
  const ask = async ({ placement }: Service, signal: AbortSignal): Promise<readonly string[]> => {
    const { resource_classes: found } = await placement.resourceClasses.list({ signal });
    return found.map(({ name }) => name).sort(byName);
  };
  return useNames('placement:resource_classes:list', ['resource class names'], ask).data ?? NOTHING;
}

export function useZoneNames({ isNeeded = true } = {}): readonly string[] {
  const ask = async ({ scheduler }: Service, signal: AbortSignal): Promise<readonly string[]> => {
    const { rows } = await readWhole(
      pages(scheduler.availabilityZones.list, {}, { signal }),
      (page) => page.availability_zones,
      OFFERED_MAX,
    );
    return rows.map(({ name }) => name).sort(byName);
  };
  return useNames('berth:scheduler:availability_zones:list', ['zone names'], ask, isNeeded).data ?? NOTHING;
}

export function useHostAggregateNames({ isNeeded = true } = {}): readonly Named[] {
  const ask = async ({ scheduler }: Service, signal: AbortSignal): Promise<readonly Named[]> => {
    const { rows } = await readWhole(
      pages(scheduler.hostAggregates.list, {}, { signal }),
      (page) => page.host_aggregates,
      OFFERED_MAX,
    );
    return rows.map(({ uuid, name }) => ({ uuid, name })).sort((a, b) => byName(a.name, b.name));
  };
  return useNames('berth:scheduler:host_aggregates:list', ['host aggregate names'], ask, isNeeded).data ?? NOTHING;
}

/** Names of host aggregates by uuid. */
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
    return rows.map(({ name }) => name).sort(byName);
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
