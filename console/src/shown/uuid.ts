// What is a uuid: as the service writes it, and as people have it.

const WRITTEN = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const EVERY = new RegExp(WRITTEN, 'gi');
const ONE = new RegExp(`^${WRITTEN}$`, 'i');

/** With its dashes: 32 digits without them may be a name. */
export const isUuid = (text: string): boolean => ONE.test(text);

/** Where nothing else has 32 digits: the dashes may be missing. */
export const isUuidTyped = (text: string): boolean => /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text);

/** The text with other words for every uuid in it. */
export const replaceUuids = (text: string, wordFor: (uuid: string) => string): string => text.replace(EVERY, wordFor);
