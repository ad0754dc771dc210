// Changes that would let hosts take a request that was refused. Worked out when the decision is first read, against the
// cloud as it is then: the refusal itself does not wait for them. Each change is tried on the hosts that pass every
// filter. The filters judge the request as it is, so one that checks amounts again can hide a change, never add one.
import { Inject, Injectable } from '@nestjs/common';
import { AllocationCandidatesService } from '../../placement/allocation-candidates/allocation-candidates.service';
import { parseCandidateQuery } from '../../placement/allocation-candidates/query-parser';
import type { ConditionReport, RequestCondition, RequestFix } from '../../placement/candidate-search';
import { DISABLED_TRAIT } from '../../placement/domain/standard-traits';
import { MICROVERSIONS } from '../../placement/microversions';
import { QueryParams } from '../../platform/http/query-params';
import { DomainError } from '../../platform/values/errors';
import { compareText } from '../../platform/values/text-order';
import type { ReportedHosts, SchedulerCaller } from '../ports';
import { REPORTED_HOSTS } from '../ports';
import type { SelectDestinationsDto } from '../request/request.schema';
import { SchedulerService } from '../scheduler.service';

/** Changes listed, those for most hosts first. */
const FIXES_SHOWN = 5;

interface DecisionFix {
  readonly text: string;
  readonly kind: RequestFix['kind'];
  /** In the syntax of the query string. */
  readonly conditions: readonly string[];
  readonly amount: number | null;
  /** The host aggregate whose hosts get the trait; null: all hosts. */
  readonly aggregate: string | null;
  readonly hosts: number;
}

export interface DecisionFixes {
  /** When the cloud was searched. */
  readonly at: string;
  readonly changes: readonly DecisionFix[];
  /** False: some changes were not tried, because too many hosts had to be searched. */
  readonly complete: boolean;
}

/** The parts of a recorded decision that are needed to ask again. */
interface RecordedRequest {
  readonly request: object | null;
  readonly placement: { readonly query: string } | null;
}

@Injectable()
export class FixFinder {
  constructor(
    private readonly candidates: AllocationCandidatesService,
    private readonly scheduler: SchedulerService,
    @Inject(REPORTED_HOSTS) private readonly hosts: Pick<ReportedHosts, 'known' | 'hostAggregates'>,
  ) {}

  /** Null: the request is not valid any more, or the search is not possible now. */
  async find({ request: body, placement }: RecordedRequest, caller: SchedulerCaller): Promise<DecisionFixes | null> {
    if (body === null || placement === null) return null;
    const command = {
      body: body as SelectDestinationsDto,
      requestId: caller.requestId,
      caller,
      dryRun: true,
      explains: 'empty',
    } as const;
    try {
      const request = parseCandidateQuery(QueryParams.parse(placement.query), MICROVERSIONS.newest);
      const admits = (roots: readonly string[]): Promise<ReadonlySet<string>> => this.scheduler.passing(command, roots);
      const report = await this.candidates.reportConditions({ ...request, limit: null }, admits, caller);
      return { at: new Date().toISOString(), changes: this.changesOf(report), complete: report.isComplete };
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }

  private changesOf({ fixes }: ConditionReport): readonly DecisionFix[] {
    const names = new Map(this.hosts.hostAggregates().map(({ uuid, name }) => [uuid, name]));
    const all = fixes.flatMap((fix): DecisionFix[] => {
      const own = changeOf(fix, { names, aggregate: null, hosts: fix.roots.length });
      const rack = fix.kind === 'trait' ? this.largestAggregate(fix) : null;
      return rack === null ? [own] : [own, changeOf(fix, { names, ...rack })];
    });
    return all.sort((one, other) => other.hosts - one.hosts).slice(0, FIXES_SHOWN);
  }

  /** The host aggregate with most of the hosts, unless it has all of them. */
  private largestAggregate({ roots }: RequestFix): { readonly aggregate: string; readonly hosts: number } | null {
    const counts = new Map<string, number>();
    for (const root of roots) {
      for (const { name } of this.hosts.known(root).aggregates) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const [largest] = [...counts].sort(([a, one], [b, other]) => other - one || compareText(a, b));
    if (largest === undefined || largest[1] === roots.length) return null;
    return { aggregate: largest[0], hosts: largest[1] };
  }
}

interface Change {
  readonly names: ReadonlyMap<string, string>;
  readonly aggregate: string | null;
  readonly hosts: number;
}

function changeOf({ kind, conditions, amount }: RequestFix, { names, aggregate, hosts }: Change): DecisionFix {
  return {
    text: `${changeText({ kind, conditions, amount }, names, aggregate)}: ${hosts} host${hosts === 1 ? '' : 's'}`,
    kind,
    conditions: conditions.map(({ text }) => text),
    amount,
    aggregate,
    hosts,
  };
}

function changeText(
  { kind, conditions, amount }: Pick<RequestFix, 'kind' | 'conditions' | 'amount'>,
  names: ReadonlyMap<string, string>,
  aggregate: string | null,
): string {
  const [condition] = conditions;
  const [name = ''] = condition?.names ?? [];
  if (kind === 'trait') {
    const where = aggregate === null ? 'the hosts' : `the hosts of ${aggregate}`;
    return `with trait ${name} set on ${where}`;
  }
  if (kind === 'amount') return `with ${String(amount)} ${name} instead of ${condition?.amount ?? 0}`;
  return conditions.map((each) => withoutText(each, names)).join(' and ');
}

function withoutText(condition: RequestCondition, names: ReadonlyMap<string, string>): string {
  const [name = ''] = condition.names;
  switch (condition.kind) {
    case 'class':
      return `without ${condition.amount ?? 0} ${name}`;
    case 'required':
    case 'root_required':
      return `without trait ${condition.names.join(' or ')}`;
    case 'forbidden':
    case 'root_forbidden':
      return name === DISABLED_TRAIT ? 'with the disabled hosts enabled' : `without forbidding trait ${name}`;
    case 'member_of':
      return `outside of host aggregate ${condition.names.map((uuid) => names.get(uuid) ?? uuid).join(' or ')}`;
    case 'forbidden_aggregates':
      return `in the forbidden host aggregates ${condition.names.map((uuid) => names.get(uuid) ?? uuid).join(', ')}`;
    case 'in_tree':
      return 'on any host';
    case 'group_policy':
      return 'with group_policy none';
    case 'same_subtree':
      return `without same_subtree of ${condition.names.join(', ')}`;
  }
}
