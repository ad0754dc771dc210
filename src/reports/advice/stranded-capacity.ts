// Classes of which no flavor can use the larger part of what is free: the same sums as in the report on capacity.
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import { sumsByGroup } from '../../scheduler/cloud/group-sums';
import type { CloudFindings } from '../stranded/cloud-findings';
import { NO_FLAVOR, StrandedSums } from '../stranded/stranded-sums';
import type { Advice } from './advice';
import { adviceOf } from './advice';

const LARGE_SHARE = 0.5;

/** Classes that no flavor asks for are the subject of other advice. */
export async function strandedCapacity(
  hosts: readonly CloudHost[],
  { hosts: judged }: Pick<CloudFindings, 'hosts'>,
): Promise<readonly Advice[]> {
  const stranded = new StrandedSums();
  const groups = await sumsByGroup(hosts, 'total', ({ tree }, sums) =>
    stranded.add(judged.get(tree.root.id) ?? [], sums),
  );
  const sums = groups.get(null);
  return [...(sums?.classes ?? [])].flatMap(([name, { free }]) => {
    const found = sums === undefined ? null : stranded.of(name, sums);
    if (found === null || found.amount <= free * LARGE_SHARE) return [];
    const cause = found.because.find(({ lacks }) => lacks !== NO_FLAVOR);
    return cause === undefined ? [] : [adviceOn(name, found.amount / free, { cause, hosts, judged })];
  });
}

function adviceOn(
  resourceClass: string,
  share: number,
  {
    cause,
    hosts,
    judged,
  }: {
    readonly cause: { readonly sentence: string };
    readonly hosts: readonly CloudHost[];
    readonly judged: CloudFindings['hosts'];
  },
): Advice {
  const worst = hosts
    .map(({ tree }) => ({
      tree,
      found: judged.get(tree.root.id)?.find((each) => each.resourceClass === resourceClass),
    }))
    .flatMap(({ tree, found }) => (found === undefined || found.amount === 0 ? [] : [{ tree, amount: found.amount }]))
    .sort((one, other) => other.amount - one.amount);
  return adviceOf({
    kind: 'stranded_capacity',
    severity: 'note',
    sentence: `No flavor can use ${Math.floor(share * 100)} % of the free ${resourceClass}: ${cause.sentence}.`,
    subjects: worst.map(({ tree }) => ({ kind: 'provider', id: tree.root.uuid, name: tree.root.name })),
    commands: [],
    link: `hosts?stranded=${resourceClass}&sort=-stranded:${resourceClass}`,
  });
}
