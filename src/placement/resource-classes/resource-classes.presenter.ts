// Resource classes as clients see them.
import type { LongBody } from '../../platform/http/body-bytes';
import type { ResourceClass } from './resource-classes.repository';

/** Path of a resource class, without the mount prefix. */
export function resourceClassPath(name: string): string {
  return `/resource_classes/${name}`;
}

export function presentResourceClass({ name }: ResourceClass, mountPrefix: string): object {
  return { name, links: [{ rel: 'self', href: `${mountPrefix}${resourceClassPath(name)}` }] };
}

/** Approximate bytes of JSON around the two names of one class. */
const FRAME_BYTES = 60;
const NAME_BYTES = 40;

/** A list of classes as text. */
export class ResourceClassListBody implements LongBody {
  constructor(
    private readonly all: readonly ResourceClass[],
    private readonly mountPrefix: string,
  ) {}

  size(): number {
    return this.all.length * (FRAME_BYTES + this.mountPrefix.length + 2 * NAME_BYTES);
  }

  *pieces(): Iterable<string> {
    yield '{"resource_classes":[';
    let comma = '';
    for (const each of this.all) {
      yield comma + JSON.stringify(presentResourceClass(each, this.mountPrefix));
      comma = ',';
    }
    yield ']}';
  }
}
