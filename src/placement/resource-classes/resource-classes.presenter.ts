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

/** A list of classes as text. */
export class ResourceClassListBody implements LongBody {
  constructor(
    private readonly all: readonly ResourceClass[],
    private readonly mountPrefix: string,
  ) {}

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
