// Presents resource classes.
import type { Walk } from '../domain/walk';
import type { ResourceClass } from './resource-classes.repository';

/** Path of a resource class, without the mount prefix. */
export function resourceClassPath(name: string): string {
  return `/resource_classes/${name}`;
}

export function presentResourceClass({ name }: ResourceClass, mountPrefix: string): object {
  return { name, links: [{ rel: 'self', href: `${mountPrefix}${resourceClassPath(name)}` }] };
}

/** Classes presented between two yields. */
const CLASSES_PER_STEP = 1_000;

export function* presentResourceClasses(all: readonly ResourceClass[], mountPrefix: string): Walk<object> {
  const shown: object[] = [];
  for (const each of all) if (shown.push(presentResourceClass(each, mountPrefix)) % CLASSES_PER_STEP === 0) yield;
  return { resource_classes: shown };
}
