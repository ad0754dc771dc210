// Presents resource providers, with the fields of each version.
import type { Walk } from '../domain/walk';
import type { BodyWriter, LongBody } from '../http/body-bytes';
import type { ApiVersion } from '../microversion/api-version';
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

/** Providers written between two yields. */
const PROVIDERS_PER_STEP = 200;
/** Approximate size of one provider in JSON without its links. */
const FRAME_BYTES = 300;

/** A list of providers as text: two providers differ only in uuids, name and generation. */
export class ProviderListBody implements LongBody {
  readonly isAscii = false;

  constructor(
    private readonly providers: readonly ResourceProvider[],
    private readonly api: ApiVersion,
    private readonly mountPrefix: string,
  ) {}

  *size(): Walk<number> {
    yield* [];
    const [each] = this.providers;
    if (each === undefined) return 0;
    return this.providers.length * (FRAME_BYTES + JSON.stringify(links(each.uuid, this.api, this.mountPrefix)).length);
  }

  *write(out: BodyWriter): Walk<void> {
    const isNested = this.api.has('nestedProviders');
    // Splits at the uuid placeholder. The mount prefix, a path of plain characters, cannot contain it.
    const linkTexts = JSON.stringify(links(PLACE, this.api, this.mountPrefix)).split(PLACE);
    out.add('{"resource_providers":[');
    for (let at = 0; at < this.providers.length; at += 1) {
      if (at % PROVIDERS_PER_STEP === PROVIDERS_PER_STEP - 1) yield;
      const { uuid, name, generation, parentUuid, rootUuid } = this.providers[at] as ResourceProvider;
      const parent = parentUuid === null ? 'null' : `"${parentUuid}"`;
      const place = isNested ? `,"parent_provider_uuid":${parent},"root_provider_uuid":"${rootUuid}"` : '';
      out.add(
        `${at === 0 ? '' : ','}{"uuid":"${uuid}","name":${JSON.stringify(name)},"generation":${generation}${place}` +
          `,"links":${linkTexts.join(uuid)}}`,
      );
    }
    out.add(']}');
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
