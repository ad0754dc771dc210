// Resolves the references in the body of a request with the caller's sight: an object that the caller must not see does
// not exist. Each method throws invalid_input that names `field`.
import { Injectable } from '@nestjs/common';
import type { ServerGroup } from '../../../compute/server-groups/server-group.entity';
import { ServerGroupsService } from '../../../compute/server-groups/server-groups.service';
import { bodyFault, shown } from '../../../platform/values/field-fault';
import type { Uuid } from '../../../platform/values/uuid';
import { canonicalUuid } from '../../../platform/values/uuid';
import type { ShownImage } from '../../image/image-document';
import { PracticeImagesService } from '../../image/images.service';
import type { ComputeCaller } from '../compute-request';
import { maySee } from '../compute-request';
import type { ComputeFlavor } from '../flavors/compute-flavors.service';
import { ComputeFlavorsService } from '../flavors/compute-flavors.service';
import { Keypairs } from '../keypairs/keypairs.repository';
import { ServersService } from './servers.service';

@Injectable()
export class VisibleReferences {
  constructor(
    private readonly flavors: ComputeFlavorsService,
    private readonly images: PracticeImagesService,
    private readonly groups: ServerGroupsService,
    private readonly keypairs: Keypairs,
    private readonly servers: ServersService,
  ) {}

  /** By the id, or by a URL that ends with it. */
  async flavor(field: string, reference: string, caller: ComputeCaller): Promise<ComputeFlavor> {
    const id = lastSegment(reference);
    return required(field, `flavor ${shown(id)}`, await this.flavors.find(id, caller));
  }

  /** By the uuid, or by a URL that ends with it. */
  async image(field: string, reference: string, caller: ComputeCaller): Promise<ShownImage> {
    const id = lastSegment(reference);
    return required(field, `image ${shown(id)}`, await this.images.find(id, caller));
  }

  /** A key pair of the caller, by its name. */
  async keypair(field: string, name: string, { userId }: ComputeCaller): Promise<void> {
    required(field, `key pair ${shown(name)}`, await this.keypairs.find(userId, name));
  }

  /** By the uuid, or by the name in the caller's project. */
  async serverGroup(field: string, text: string, caller: ComputeCaller): Promise<ServerGroup> {
    const uuid = canonicalUuid(text);
    const found = uuid === undefined ? undefined : await this.groups.lookUp(uuid);
    if (found !== undefined && maySee(caller, found.projectId)) return found;
    const filter = { name: text, projectId: caller.projectId };
    const { items } = await this.groups.list(filter, { limit: 2, marker: undefined });
    if (items.length > 1) throw bodyFault(field, `names several server groups: ${shown(text)}`);
    return required(field, `server group ${shown(text)}`, items[0]);
  }

  /** By their uuids. */
  async serversOf(field: string, texts: readonly string[], caller: ComputeCaller): Promise<readonly Uuid[]> {
    const uuids = texts.map((text) => required(field, `server ${shown(text)}`, canonicalUuid(text)));
    const visible = await this.servers.namesOf(uuids, caller);
    for (const uuid of uuids) required(field, `server ${uuid}`, visible.get(uuid));
    return uuids;
  }
}

const lastSegment = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

function required<T>(field: string, what: string, found: T | undefined): T {
  if (found === undefined) throw bodyFault(field, `names the ${what}, which does not exist`);
  return found;
}
