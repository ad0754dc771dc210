// Changes of several hosts: what each change does to a host, which hosts need it, and which cannot have it.
import type { Preview } from '../../provider-traits/batch';
import { changeTrait } from '../../provider-traits/change-trait';
import type { HostRow } from '../../service/reports';
import type { Service } from '../../service/service';
import { switchService } from '../../service/switch-service';
import type { Undo } from '../../shown/use-change';

export type BulkKind = 'disable' | 'enable' | 'trait' | 'untrait' | 'aggregate' | 'leave';

type BulkRow = Pick<HostRow, 'uuid' | 'name' | 'host' | 'status' | 'host_aggregates'>;

/** The host's name in its service, the value of the parameter, and how a change is written. */
interface Given {
  readonly row: BulkRow;
  readonly host: string;
  readonly value: string;
  readonly service: Service;
  readonly signal: AbortSignal;
}

interface Bulk {
  /** The name of its button. */
  readonly name: string;
  /** The title of its dialog. */
  readonly title: string;
  /** The rules that it needs. */
  readonly rules: readonly string[];
  readonly parameter: 'none' | 'reason' | 'trait' | 'aggregate';
  /** Whether the host is as wanted. `holders`: uuids of the providers that have the trait now. */
  readonly isDone: (row: BulkRow, value: string, holders: ReadonlySet<string>) => boolean;
  /** Returns the function that reverts the change, or undefined if the host was as wanted. */
  readonly apply: (given: Given) => Promise<Undo | undefined>;
}

const SERVICE = ['berth:scheduler:services:update', 'berth:scheduler:services:show'];
const TRAITS = ['placement:resource_providers:traits:update', 'placement:resource_providers:list'];

const isIn = ({ host_aggregates: aggregates }: BulkRow, value: string): boolean =>
  aggregates.some(({ uuid }) => uuid === value);

export const BULK: Readonly<Record<BulkKind, Bulk>> = {
  disable: {
    name: 'Disable…',
    title: 'Disable hosts',
    rules: SERVICE,
    parameter: 'reason',
    isDone: ({ status }) => status === 'disabled',
    apply: (given) => switchTo(given, { status: 'disabled', disabled_reason: given.value.trim() || null }),
  },
  enable: {
    name: 'Enable…',
    title: 'Enable hosts',
    rules: SERVICE,
    parameter: 'none',
    isDone: ({ status }) => status !== 'disabled',
    apply: (given) => switchTo(given, { status: 'enabled' }),
  },
  trait: {
    name: 'Set a trait…',
    title: 'Set a trait on hosts',
    rules: TRAITS,
    parameter: 'trait',
    isDone: ({ uuid }, _, holders) => holders.has(uuid),
    apply: ({ row: { uuid }, value: trait, service, signal }) =>
      changeTrait(service.placement.providers.traits, { uuid, trait, change: 'set' }, signal),
  },
  untrait: {
    name: 'Remove a trait…',
    title: 'Remove a trait from hosts',
    rules: TRAITS,
    parameter: 'trait',
    isDone: ({ uuid }, _, holders) => !holders.has(uuid),
    apply: ({ row: { uuid }, value: trait, service, signal }) =>
      changeTrait(service.placement.providers.traits, { uuid, trait, change: 'unset' }, signal),
  },
  aggregate: {
    name: 'Add to an aggregate…',
    title: 'Add hosts to an aggregate',
    rules: ['berth:scheduler:host_aggregates:add_host'],
    parameter: 'aggregate',
    isDone: isIn,
    apply: async ({ host, value, service: { scheduler } }) => {
      await scheduler.hostAggregates.addHost(value, { host });
      return () => scheduler.hostAggregates.removeHost(value, host);
    },
  },
  leave: {
    name: 'Remove from an aggregate…',
    title: 'Remove hosts from an aggregate',
    rules: ['berth:scheduler:host_aggregates:remove_host'],
    parameter: 'aggregate',
    isDone: (row, value) => !isIn(row, value),
    apply: async ({ host, value, service: { scheduler } }) => {
      await scheduler.hostAggregates.removeHost(value, host);
      return () => scheduler.hostAggregates.addHost(value, { host });
    },
  },
};

async function switchTo(
  { host, service: { scheduler }, signal }: Given,
  change: Parameters<typeof switchService>[3],
): Promise<Undo> {
  return switchService(scheduler, host, await scheduler.services.get(host, { signal }), change);
}

export const BULK_KINDS = Object.keys(BULK) as readonly BulkKind[];

export function previewOfBulk(
  rows: readonly BulkRow[],
  kind: BulkKind,
  value: string,
  holders: ReadonlySet<string>,
): Preview {
  const { parameter, isDone } = BULK[kind];
  // Every provider can have traits; the other changes are of the host's service.
  const isAble = ({ host }: BulkRow): boolean => host !== null || parameter === 'trait';
  const able = rows.filter(isAble);
  return {
    changes: able.filter((row) => !isDone(row, value, holders)),
    already: able.filter((row) => isDone(row, value, holders)),
    cannot: rows.filter((row) => !isAble(row)).map(({ name }) => ({ name, reason: 'no service reports for it' })),
  };
}
