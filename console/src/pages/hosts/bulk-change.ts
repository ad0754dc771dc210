// Changes of several hosts: what each change does to a host, which hosts need it, and which cannot have it.
import type { Preview, Target } from '../../provider-traits/batch';
import { previewOf } from '../../provider-traits/batch';
import { changeTrait } from '../../provider-traits/change-trait';
import type { HostRow } from '../../service/reports';
import type { Service } from '../../service/service';

export type BulkKind = 'disable' | 'enable' | 'trait' | 'untrait' | 'aggregate' | 'leave';

export type BulkChange =
  | { readonly kind: 'disable'; readonly reason: string }
  | { readonly kind: 'enable' }
  | { readonly kind: 'trait' | 'untrait'; readonly trait: string }
  | { readonly kind: 'aggregate' | 'leave'; readonly uuid: string };

/** The rules that a change needs. */
export const RULES: Readonly<Record<BulkKind, readonly string[]>> = {
  disable: ['berth:scheduler:services:update'],
  enable: ['berth:scheduler:services:update'],
  trait: ['placement:resource_providers:traits:update', 'placement:resource_providers:list'],
  untrait: ['placement:resource_providers:traits:update', 'placement:resource_providers:list'],
  aggregate: ['berth:scheduler:host_aggregates:add_host'],
  leave: ['berth:scheduler:host_aggregates:remove_host'],
};

type BulkRow = Pick<HostRow, 'uuid' | 'name' | 'host' | 'status' | 'host_aggregates'>;

/** `holders`: uuids of the providers that have the trait now. */
export function previewOfBulk(rows: readonly BulkRow[], change: BulkChange, holders: ReadonlySet<string>): Preview {
  if ('trait' in change) return previewOf(rows.map(targetOf), holders, change.kind === 'trait' ? 'set' : 'unset');
  const able = rows.filter(({ host }) => host !== null);
  const cannot = rows
    .filter(({ host }) => host === null)
    .map(({ name }) => ({ name, reason: 'no service reports for it' }));
  return {
    changes: able.filter((row) => !isDone(row, change)).map(targetOf),
    already: able.filter((row) => isDone(row, change)).map(targetOf),
    cannot,
  };
}

const targetOf = ({ uuid, name }: BulkRow): Target => ({ uuid, name });

function isDone(
  { status, host_aggregates: aggregates }: BulkRow,
  change: Exclude<BulkChange, { trait: string }>,
): boolean {
  if ('uuid' in change) {
    return aggregates.some(({ uuid }) => uuid === change.uuid) === (change.kind === 'aggregate');
  }
  return (status === 'disabled') === (change.kind === 'disable');
}

/** Changes one host. */
export async function applyTo(
  row: BulkRow,
  change: BulkChange,
  { scheduler, placement }: Service,
  signal: AbortSignal,
): Promise<'done' | 'already'> {
  const host = row.host ?? row.name;
  switch (change.kind) {
    case 'disable':
      await scheduler.services.change(host, { status: 'disabled', disabled_reason: change.reason || null });
      return 'done';
    case 'enable':
      await scheduler.services.change(host, { status: 'enabled' });
      return 'done';
    case 'trait':
    case 'untrait': {
      const order = { uuid: row.uuid, trait: change.trait, change: change.kind === 'trait' ? 'set' : 'unset' } as const;
      return changeTrait(placement.providers.traits, order, signal);
    }
    case 'leave':
      await scheduler.hostAggregates.removeHost(change.uuid, host);
      return 'done';
    case 'aggregate':
      await scheduler.hostAggregates.addHost(change.uuid, { host });
      return 'done';
  }
}
