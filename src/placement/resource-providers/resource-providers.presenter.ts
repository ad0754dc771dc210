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

/** A list of providers, which can be long. Two of them differ only in uuids, name and generation. */
export class ProviderListBody implements LongBody {
  constructor(
    private readonly list: readonly ResourceProvider[],
    private readonly api: ApiVersion,
    private readonly mountPrefix: string,
  ) {}

  *pieces(): Iterable<string> {
    const isNested = this.api.has('nestedProviders');
    // The mount prefix, a path of plain characters, cannot contain the placeholder.
    const linkTexts = JSON.stringify(links(PLACE, this.api, this.mountPrefix)).split(PLACE);
    let before = '{"resource_providers":[';
    for (const { uuid, name, generation, parentUuid, rootUuid } of this.list) {
      const parent = parentUuid === null ? 'null' : `"${parentUuid}"`;
      const place = isNested ? `,"parent_provider_uuid":${parent},"root_provider_uuid":"${rootUuid}"` : '';
      const opening = `${before}{"uuid":"${uuid}","name":${JSON.stringify(name)}`;
      before = ',';
      yield `${opening},"generation":${generation}${place},"links":${linkTexts.join(uuid)}}`;
    }
    yield this.list.length === 0 ? `${before}]}` : ']}';
  }
}

const PLACE = '{uuid}';

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
