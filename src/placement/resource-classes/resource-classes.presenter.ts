// Resource classes as clients see them.
import type { ResourceClass } from './resource-classes.repository';

/** Path of a resource class, without the mount prefix. */
export function resourceClassPath(name: string): string {
  return `/resource_classes/${name}`;
}

export function presentResourceClass({ name }: ResourceClass, mountPrefix: string): object {
  return { name, links: [{ rel: 'self', href: `${mountPrefix}${resourceClassPath(name)}` }] };
}

export const presentResourceClasses = (all: readonly ResourceClass[], mountPrefix: string): object => ({
  resource_classes: all.map((each) => presentResourceClass(each, mountPrefix)),
});
