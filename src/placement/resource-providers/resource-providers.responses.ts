// Response schemas for resource-providers.presenter.ts, with the fields of each version.
import { GENERATION, LINK, listOf, orNull, TEXT, UUID } from '../../platform/http/answer-schemas';
import { closed, named, since } from '../../platform/microversion/versioned-schema';

export const RESOURCE_PROVIDER = named(
  'ResourceProvider',
  closed({
    uuid: UUID,
    name: TEXT,
    generation: GENERATION,
    parent_provider_uuid: since('nestedProviders', orNull(UUID)),
    root_provider_uuid: since('nestedProviders', UUID),
    links: listOf(LINK),
  }),
);

export const RESOURCE_PROVIDERS = named('ResourceProviders', closed({ resource_providers: listOf(RESOURCE_PROVIDER) }));
