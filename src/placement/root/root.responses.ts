// Response schema of the root document.
import { LINK, listOf, oneOf, TEXT } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';

export const VERSIONS = named(
  'Versions',
  closed({
    versions: listOf(
      closed({ id: TEXT, status: oneOf('CURRENT'), min_version: TEXT, max_version: TEXT, links: listOf(LINK) }),
    ),
  }),
);
