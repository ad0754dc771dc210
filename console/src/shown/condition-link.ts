// The page that shows what a condition of a request is about.
import type { Schema } from '@berth/client';
import { hostsNamedPath, pathTo } from '../address/path-to';

export type Condition = Schema<'WhyNotCondition'>;

const OF_NAME: Readonly<Partial<Record<Condition['kind'], (name: string) => string>>> = {
  resource: (name) => pathTo('/map', { resource_class: name }),
  trait: (trait) => pathTo('/hosts', { trait }),
  forbidden_trait: (name) => pathTo('/hosts', { trait: `!${name}` }),
  aggregate: (uuid) => pathTo('/hosts', { placement_aggregate: uuid }),
  host: hostsNamedPath,
};

/** Undefined if no page shows it. */
export function linkOf({ kind, names }: Pick<Condition, 'kind' | 'names'>): string | undefined {
  if (kind === 'enabled') return pathTo('/hosts', { status: 'disabled' });
  if (kind === 'service_up') return pathTo('/hosts', { status: 'silent' });
  const [name] = names;
  return name === undefined || names.length > 1 ? undefined : OF_NAME[kind]?.(name);
}
