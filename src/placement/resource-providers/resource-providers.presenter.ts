// Resource providers as clients see them, since when.
import type { LongBody } from '../../platform/http/body-bytes';
import type { ApiVersion } from '../../platform/microversion/api-version';
import type { ResourceProvider } from './resource-providers.commands';

/** Path of a provider, without the mount prefix. */
export function providerPath(uuid: string): string {
  return `/resource_providers/${uuid}`;
}

export function presentProvider(provider: ResourceProvider, api: ApiVersion, mountPrefix: string): object {
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

/** A list of providers, which can be long. */
export class ProviderListBody implements LongBody {
  constructor(
    private readonly list: readonly ResourceProvider[],
    private readonly api: ApiVersion,
    private readonly mountPrefix: string,
  ) {}

  *pieces(): Iterable<string> {
    let before = '{"resource_providers":[';
    for (const provider of this.list) {
      yield before + JSON.stringify(presentProvider(provider, this.api, this.mountPrefix));
      before = ',';
    }
    yield this.list.length === 0 ? `${before}]}` : ']}';
  }
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
