// Texts of the service name aggregates by their uuids; people know host aggregates by name.

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;

/** Every uuid that has a name, by its name; the others stay. */
export const withNames = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replace(UUID, (uuid) => names.get(uuid.toLowerCase()) ?? uuid);
