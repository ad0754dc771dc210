// Response schemas of the practice cloud. They describe only the envelope: the API reference of the OpenStack service
// defines the documents inside. `compute.responses.ts` has those that the client package has types for.
import { FLAG_TEXT, INTEGER_TEXT, LINK, listOf, TEXT } from '../platform/http/answer-schemas';
import { json } from '../platform/http/operation.decorator';
import type { SchemaNode } from '../platform/microversion/versioned-schema';
import { closed } from '../platform/microversion/versioned-schema';

/** A document that another service's API defines. */
export const ANY_DOCUMENT: SchemaNode = { type: 'object' };

/** `{ "flavor": { … } }` */
export const holding = (name: string, document = ANY_DOCUMENT): SchemaNode => json(closed({ [name]: document }));

/** `{ "flavors": [ … ] }` */
export const listing = (name: string, item = ANY_DOCUMENT): SchemaNode => json(closed({ [name]: listOf(item) }));

/** A page of a list, with a link to the next page if there is one. */
export function paged(name: string, item = ANY_DOCUMENT, links = `${name}_links`): SchemaNode {
  return json(closed({ [name]: listOf(item), [links]: listOf(LINK) }, [links]));
}

/** Query parameters of a list with pages. */
export const PAGE: SchemaNode = {
  limit: { ...INTEGER_TEXT, description: 'The most that is answered at once.' },
  marker: { ...TEXT, description: 'The last of the page before.' },
};

/** Query parameters of the list of flavors. */
export const FLAVOR_LIST: SchemaNode = {
  ...PAGE,
  is_public: { ...TEXT, description: '`none` is both.' },
  minRam: { ...INTEGER_TEXT, description: 'MiB.' },
  minDisk: { ...INTEGER_TEXT, description: 'GiB.' },
};

/** Query parameters of the list of hypervisors. */
export const HYPERVISOR_LIST: SchemaNode = {
  ...PAGE,
  hypervisor_hostname_pattern: { ...TEXT, description: 'A part of the name.' },
  with_servers: FLAG_TEXT,
};

/** Query parameters of a list that looks up a name. */
export const BY_NAME: SchemaNode = { name: TEXT };
