// Texts of the service name aggregates by their uuids; people know host aggregates by name.
import { replaceUuids } from './uuid';

/** Every uuid that has a name, by its name; the others stay. */
export const withNames = (text: string, names: ReadonlyMap<string, string>): string =>
  replaceUuids(text, (uuid) => names.get(uuid.toLowerCase()) ?? uuid);
