// Resource providers as clients see them, since when.
import { newestOf } from '../domain/newest';
import type { ApiVersion } from '../microversion/api-version';
import type { Provider } from './resource-providers.commands';

/** Path of a provider, without the mount prefix. */
export function providerPath(uuid: string): string {
  return `/resource_providers/${uuid}`;
}

export function presentProvider(provider: Provider, api: ApiVersion, mountPrefix: string): object {
  return {
    uuid: provider.uuid,
    name: provider.name,
    generation: provider.generation,
    ...(api.has('nestedProviders') && {
      parent_provider_uuid: provider.parentUuid,
      root_provider_uuid: provider.rootUuid,
    }),
    links: links(provider.uuid, api, mountPrefix),
  };
}

function links(uuid: string, api: ApiVersion, mountPrefix: string): readonly object[] {
  const self = `${mountPrefix}${providerPath(uuid)}`;
  const rels = [
    'inventories',
    'usages',
    ...(api.has('aggregatesApi') ? ['aggregates'] : []),
    ...(api.has('traitsApi') ? ['traits'] : []),
    ...(api.has('allocationsLink') ? ['allocations'] : []),
  ];
  return [{ rel: 'self', href: self }, ...rels.map((rel) => ({ rel, href: `${self}/${rel}` }))];
}

/** Newest change among the providers; now when there is none. */
export function newestChange(providers: readonly Provider[]): number | 'now' {
  return newestOf(providers, 'now');
}
