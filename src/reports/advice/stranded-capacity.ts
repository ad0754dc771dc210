// Classes of which no flavor can use the larger part of what is free.
import { compareText } from '../../platform/values/text-order';
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import { classSums } from '../../scheduler/cloud/tree-sums';
import type { Bottleneck } from '../stranded/bottleneck';
import { strandedSentence } from '../stranded/bottleneck';
import type { CloudFindings } from '../stranded/cloud-findings';
import type { Advice } from './advice';
import { adviceOf } from './advice';

const LARGE_SHARE = 0.5;

interface ClassTotal {
  free: number;
  stranded: number;
  readonly hosts: { readonly host: CloudHost; readonly amount: number }[];
  readonly causes: Map<Bottleneck, number>;
}

/** Classes that no flavor asks for are the subject of other advice. */
export class StrandedCapacity {
  private readonly totals = new Map<string, ClassTotal>();

  constructor(private readonly findings: Pick<CloudFindings, 'hosts'>) {}

  add(host: CloudHost): void {
    const found = this.findings.hosts.get(host.tree.root.id);
    if (found === undefined) return;
    const sums = new Map(classSums(host.tree.providers));
    for (const { resourceClass, amount, lacks } of found) {
      if (lacks?.kind === 'nothing') continue;
      const total: ClassTotal = this.totals.get(resourceClass) ?? {
        free: 0,
        stranded: 0,
        hosts: [],
        causes: new Map<Bottleneck, number>(),
      };
      this.totals.set(resourceClass, total);
      total.free += sums.get(resourceClass)?.free ?? 0;
      total.stranded += amount;
      if (lacks === null) continue;
      total.hosts.push({ host, amount });
      total.causes.set(lacks, (total.causes.get(lacks) ?? 0) + 1);
    }
  }

  get advice(): readonly Advice[] {
    return [...this.totals]
      .filter(([, { free, stranded }]) => stranded > free * LARGE_SHARE)
      .sort(([one], [other]) => compareText(one, other))
      .map(([name, total]) => adviceOn(name, total));
  }
}

function adviceOn(resourceClass: string, { free, stranded, hosts, causes }: ClassTotal): Advice {
  const worst = [...hosts].sort((one, other) => other.amount - one.amount);
  const [cause] = [...causes].sort(([, one], [, other]) => other - one);
  const because = cause === undefined ? '' : `: ${strandedSentence(resourceClass, cause[0], cause[1])}`;
  return adviceOf({
    kind: 'stranded_capacity',
    severity: 'note',
    sentence: `No flavor can use ${Math.floor((stranded / free) * 100)} % of the free ${resourceClass}${because}.`,
    subjects: worst.map(({ host: { tree } }) => ({ kind: 'provider', id: tree.root.uuid, name: tree.root.name })),
    commands: [],
    link: `hosts?stranded=${resourceClass}&sort=-stranded:${resourceClass}`,
  });
}
