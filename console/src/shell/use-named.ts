// Flavors, host aggregates, zones and traits whose names contain a text. Their names are read when the user types the
// first letters.
import { useFlavorNames, useHostAggregateNames, useTraitNames, useZoneNames } from '../service/names';
import type { Named } from './named';
import { namedBy } from './named';

const LEAST_LETTERS = 2;

export function useNamed(text: string): readonly Named[] {
  const isNeeded = text.length >= LEAST_LETTERS;
  const flavors = useFlavorNames({ isNeeded });
  const aggregates = useHostAggregateNames({ isNeeded });
  const zones = useZoneNames({ isNeeded });
  const traits = useTraitNames({ inUse: true, isNeeded });
  return isNeeded ? namedBy(text, { flavors, aggregates, zones, traits }) : [];
}
