// Detects uuids in texts of the service and in user input.

const WRITTEN = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const EVERY = new RegExp(WRITTEN, 'gi');
const ONE = new RegExp(`^${WRITTEN}$`, 'i');

/** Requires dashes: 32 digits without dashes can be a name. */
export const isUuid = (text: string): boolean => ONE.test(text);

/** Dashes are optional; for fields where no other input has 32 digits. */
export const isUuidTyped = (text: string): boolean => /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text);

/** Replaces uuids by names. Uuids without a name are kept. */
export const withNames = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replace(EVERY, (uuid) => names.get(uuid.toLowerCase()) ?? uuid);
