// Resource classes as clients see them.
import { newestOf } from '../domain/newest';
import type { ResourceClass } from './resource-classes.repository';

/** Path of a resource class, without the mount prefix. */
export function resourceClassPath(name: string): string {
  return `/resource_classes/${name}`;
}

export function presentResourceClass({ name }: ResourceClass, mountPrefix: string): object {
  return { name, links: [{ rel: 'self', href: `${mountPrefix}${resourceClassPath(name)}` }] };
}

/** Newest change among the classes; now when there is none. */
export function newestChange(classes: readonly ResourceClass[]): number | 'now' {
  return newestOf(classes, 'now');
}
