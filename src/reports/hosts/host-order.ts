// The order of a list of hosts. Hosts without a value for the sort key come last in both directions; equal ones are in
// natural order of their names, then by uuid.
import type { Provider } from '../../placement/candidate-search';
import { queryFault } from '../../platform/values/field-fault';
import { memoize } from '../../platform/values/memoize';
import { NAME_PATTERN } from '../../platform/values/names';
import { naturalKey } from '../../platform/values/natural-order';
import { compareText } from '../../platform/values/text-order';
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import { HOST_STATUSES } from '../../scheduler/cloud/host-status';
import { classSum } from '../../scheduler/cloud/tree-sums';
import type { InstanceCounts } from '../cloud/instance-counts';
import type { StrandedAmounts } from '../stranded/stranded-amounts';

const FACTS = ['name', 'status', 'instances', 'zone'] as const;
const AMOUNTS = ['used', 'free', 'use', 'stranded'] as const;

export type HostOrder = { readonly isDescending: boolean } & (
  | { readonly by: (typeof FACTS)[number] }
  | { readonly by: (typeof AMOUNTS)[number]; readonly resourceClass: string }
);

const CLASS_NAME = new RegExp(NAME_PATTERN);

/** `name`, `-used:VCPU`. Throws InvalidInput. */
export function hostOrderOf(text = 'name'): HostOrder {
  const isDescending = text.startsWith('-');
  const [by = '', resourceClass] = text.slice(isDescending ? 1 : 0).split(/:(.*)/s);
  const fact = FACTS.find((each) => each === by);
  if (fact !== undefined && resourceClass === undefined) return { isDescending, by: fact };
  const amount = AMOUNTS.find((each) => each === by);
  if (amount !== undefined && resourceClass !== undefined && CLASS_NAME.test(resourceClass)) {
    return { isDescending, by: amount, resourceClass };
  }
  const choices = [...FACTS, ...AMOUNTS.map((each) => `${each}:CLASS`)].join(', ');
  throw queryFault('sort', `must be one of ${choices}, optionally with a leading '-', not '${text}'`);
}

type Key = string | number | null;

/** A root keeps its key as long as it lives: its replacement on a change of its name is another object. */
const nameKey = memoize((root: Provider) => naturalKey(root.name));

/** Data that some sort keys need. */
interface OrderFacts {
  readonly counts: InstanceCounts;
  /** Null: not asked for. */
  readonly stranded: StrandedAmounts | null;
}

export function orderOf(order: HostOrder, facts: OrderFacts) {
  const direction = order.isDescending ? -1 : 1;
  return {
    keyOf: keyFor(order, facts),
    compare: (a: Key, b: Key, one: CloudHost, other: CloudHost): number => {
      if (a !== b) {
        if (a === null) return 1;
        if (b === null) return -1;
        return a < b ? -direction : direction;
      }
      const [first, second] = [one.tree.root, other.tree.root];
      const names = compareText(nameKey(first), nameKey(second)) || compareText(first.name, second.name);
      // Descending by name: hosts whose names differ in leading zeros only are still in the order of their names.
      return names || compareText(first.uuid, second.uuid);
    },
  };
}

function keyFor(order: HostOrder, { counts, stranded }: OrderFacts): (host: CloudHost) => Key {
  switch (order.by) {
    case 'name':
      return ({ tree }) => nameKey(tree.root);
    case 'status':
      return ({ status }) => HOST_STATUSES.indexOf(status);
    case 'instances':
      return (host) => counts.of(host);
    case 'zone':
      return ({ zone }) => zone;
    default: {
      const { by, resourceClass } = order;
      if (by === 'stranded') return ({ tree }) => stranded?.of(tree.root.id, resourceClass)?.amount ?? null;
      return ({ tree }) => {
        const sum = classSum(tree.providers, resourceClass);
        if (sum === undefined) return null;
        return by === 'use' ? shareUsed(sum) : sum[by];
      };
    }
  }
}

/** From 0 to 1, above 1 if usage exceeds capacity; null if there is neither. */
export const shareUsed = ({ used, capacity }: { readonly used: number; readonly capacity: number }): number | null =>
  capacity > 0 ? used / capacity : used > 0 ? 1 : null;
