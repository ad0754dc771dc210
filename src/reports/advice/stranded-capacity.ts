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
    if (cause === undefined) return [];
    const worst = hosts
      .flatMap(({ tree: { root } }) => {
        const amount = judged.get(root.id)?.find(({ resourceClass }) => resourceClass === name)?.amount ?? 0;
        return amount === 0 ? [] : [{ root, amount }];
      })
      .sort((one, other) => other.amount - one.amount);
    return adviceOf({
      kind: 'stranded_capacity',
      severity: 'note',
      sentence: `No flavor can use ${Math.floor((found.amount / free) * 100)} % of the free ${name}: ${cause.sentence}.`,
      subjects: worst.map(({ root }) => ({ kind: 'provider', id: root.uuid, name: root.name })),
      link: `hosts?stranded=${name}&sort=-stranded:${name}`,
    });
  });
}
