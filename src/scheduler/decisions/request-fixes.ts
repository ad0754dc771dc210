// Changes that would let hosts take a request that was refused. Worked out when the decision is first read, against the
// cloud as it is then: the refusal itself does not wait for them. Each change is tried on the hosts that pass every
// filter. The filters judge the request as it is, so one that checks amounts again can hide a change, never add one.
import type { AllocationCandidatesService } from '../../placement/allocation-candidates/allocation-candidates.service';
import { parseCandidateQuery } from '../../placement/allocation-candidates/query-parser';
import type { DescribedFix, RequestFix, Wording } from '../../placement/candidate-search';
import { describeFix, PLAIN_WORDING } from '../../placement/candidate-search';
import { MICROVERSIONS } from '../../placement/microversions';
import { QueryParams } from '../../platform/http/query-params';
import { DomainError } from '../../platform/values/errors';
import { compareText } from '../../platform/values/text-order';
import type { ReportedHosts, SchedulerCaller } from '../ports';
import type { SelectDestinationsDto } from '../request/request.schema';
import type { SchedulerService } from '../scheduler.service';

/** Changes listed, those for most hosts first. */
const FIXES_SHOWN = 5;

export interface DecisionFixes {
  /** When the cloud was searched. */
  readonly at: string;
  readonly changes: readonly DescribedFix[];
}

/** The parts of a recorded decision that are needed to ask again. */
interface RecordedRequest {
  readonly request: object | null;
  readonly placement: { readonly query: string } | null;
}

export class RequestFixes {
  constructor(
    private readonly candidates: Pick<AllocationCandidatesService, 'findFixes'>,
    private readonly scheduler: Pick<SchedulerService, 'passing'>,
    private readonly hosts: Pick<ReportedHosts, 'known' | 'hostAggregates'>,
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
      const fixes = await this.candidates.findFixes({ ...request, limit: null }, admits, caller);
      return { at: new Date().toISOString(), changes: this.changesOf(fixes) };
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }

  private changesOf(fixes: readonly RequestFix[]): readonly DescribedFix[] {
    const names = new Map(this.hosts.hostAggregates().map(({ uuid, name }) => [uuid, name]));
    const wording: Wording = { ...PLAIN_WORDING, nameOf: (uuid) => names.get(uuid) };
    const all = fixes.flatMap(({ roots, ...fix }): DescribedFix[] => {
      const own = describeFix(fix, wording, { hosts: roots.length });
      const rack = fix.kind === 'trait' ? this.largestAggregate(roots) : null;
      return rack === null ? [own] : [own, describeFix(fix, wording, rack)];
    });
    return all.sort((one, other) => other.hosts - one.hosts).slice(0, FIXES_SHOWN);
  }

  /** The host aggregate with most of the hosts, unless it has all of them. */
  private largestAggregate(roots: RequestFix['roots']): { readonly aggregate: string; readonly hosts: number } | null {
    const counts = new Map<string, number>();
    for (const root of roots) {
      for (const { name } of this.hosts.known(root).aggregates) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const [largest] = [...counts].sort(([a, one], [b, other]) => other - one || compareText(a, b));
    if (largest === undefined || largest[1] === roots.length) return null;
    return { aggregate: largest[0], hosts: largest[1] };
  }
}
