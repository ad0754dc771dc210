// Finds the flavor, the image and the server group that a request names, in the registries.
import { Injectable } from '@nestjs/common';
import { FlavorsService } from '../../compute/flavors/flavors.service';
import type { RegisteredImage } from '../../compute/images/image.entity';
import { ImagesService } from '../../compute/images/images.service';
import { ambiguousOf } from '../../compute/registry-names';
import type { ServerGroup } from '../../compute/server-groups/server-group.entity';
import { ServerGroupsService } from '../../compute/server-groups/server-groups.service';
import { Database } from '../../platform/database/database';
import type { Image, InstanceGroup } from '../../scheduling-rules/request-spec/request-spec';
import type { FoundReferences, ReferenceSource } from '../ports';
import type { References } from '../request/normalize-request';
import { NOTHING_RESOLVED } from '../request/normalize-request';

/** Names that are compared with a misspelt one. */
const NAMES_READ = 1_000;

const NOTHING: FoundReferences = { ...NOTHING_RESOLVED, flavorId: null, imageUuid: null };

@Injectable()
export class RegistryReferences implements ReferenceSource {
  constructor(
    private readonly db: Database,
    private readonly flavors: FlavorsService,
    private readonly images: ImagesService,
    private readonly groups: ServerGroupsService,
  ) {}

  resolve({ flavor, image, group }: References, excludedInstance?: string): Promise<FoundReferences> {
    if (flavor === null && image === null && group === null) return Promise.resolve(NOTHING);
    return this.db.read(async (sql) => {
      const foundFlavor = flavor === null ? undefined : await this.flavors.named(sql, flavor);
      const namedImage = image === null ? undefined : await this.images.named(sql, image);
      const namedGroup = group === null ? undefined : await this.groups.named(sql, group);
      const [foundImage, foundGroup] = [namedImage?.found, namedGroup?.found];
      return {
        flavor: foundFlavor ?? null,
        flavorId: foundFlavor?.id ?? null,
        image: foundImage === undefined ? null : imageOf(foundImage),
        imageUuid: foundImage?.uuid ?? null,
        group: foundGroup === undefined ? null : registeredGroupOf(foundGroup, excludedInstance),
        ambiguous: ambiguousOf({ image: namedImage, group: namedGroup }),
      };
    });
  }

  async namesOf(kind: Parameters<ReferenceSource['namesOf']>[0]): Promise<readonly string[]> {
    const page = { limit: NAMES_READ, marker: undefined };
    const { items } =
      kind === 'flavor'
        ? await this.flavors.list({}, page)
        : kind === 'image'
          ? await this.images.list({}, page)
          : await this.groups.list({}, page);
    return items.flatMap(({ name }) => name ?? []);
  }
}

const imageOf = ({ uuid: id, name, diskFormat, properties }: RegisteredImage): Image => ({
  id,
  name,
  diskFormat,
  properties,
});

/** `hosts` are those of the placed members, except the instance that is placed again. */
function registeredGroupOf(
  { uuid, name, policy, maxServerPerHost, members }: ServerGroup,
  excludedInstance?: string,
): InstanceGroup {
  return {
    uuid,
    name,
    policy,
    maxServerPerHost,
    members: new Set(members.map((member) => member.uuid)),
    hosts: new Set(members.flatMap((member) => (member.uuid === excludedInstance ? [] : (member.host ?? [])))),
  };
}
