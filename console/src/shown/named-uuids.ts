// Replaces uuids of aggregates in the service's texts by the names of host aggregates.
import { replaceUuids } from './uuid';

/** Uuids without a name are kept. */
export const withNames = (text: string, names: ReadonlyMap<string, string>): string =>
  replaceUuids(text, (uuid) => names.get(uuid.toLowerCase()) ?? uuid);
