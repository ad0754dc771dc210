// Reports a decision: fills the table of a refusal, and writes the log lines. For a decision that placed everything, this
// only checks the log level.

import type { JudgedHost, Wording } from '../../placement/candidate-search';
import { refusalOf } from '../../placement/candidate-search';
import { tasks } from '../../platform/event-loop/task-scheduler';
import { contextFields } from '../../platform/logging/log-context';
import type { DecisionLog } from '../../platform/logging/logger.token';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import type { Decision } from '../../scheduling-rules/pipeline/decision';
import type { DecisionRecorder } from '../../scheduling-rules/pipeline/explanation';
import { preselect } from '../../scheduling-rules/pipeline/preselect';
import { refusedHosts, triedHosts } from '../../scheduling-rules/pipeline/refused-hosts';
import { filterTask } from '../../scheduling-rules/pipeline/run-filters';
import type { SchedulerPipeline } from '../assemble/scheduler-pipeline';
import type { HostSource, SchedulerCaller } from '../ports';
import { decisionLines } from './decision-lines';
import type { DecisionRun, FoundHosts } from './decision-run';
import type { SchedulingRefusal } from './refused';
import { wordingOf } from './wording-of';

/** Facts about a command for the log. */
interface Logged {
  readonly dryRun: boolean;
  readonly caller?: SchedulerCaller | undefined;
}

/** A request that no host is left for. */
interface RefusedRequest extends Pick<FoundHosts, 'spec' | 'states' | 'unknown'> {
  /** Every host that Placement judged; empty if it was not asked. */
  readonly judged: readonly JudgedHost[];
  /** Hosts passed, and their claims were refused. */
  readonly isClaimLost: boolean;
  /** The states of hosts that Placement did not return. */
  readonly statesOf: (rootUuids: readonly string[]) => Promise<readonly HostState[]>;
}

export class DecisionReporter {
  constructor(
    private readonly pipeline: SchedulerPipeline,
    private readonly hosts: Pick<HostSource, 'cloud'>,
    /** Null: simulations leave no lines. */
    private readonly log: DecisionLog | null,
  ) {}

  /** Writes the lines of a decision, each with the request it is about. */
  logDecision(decision: Decision, refusal: SchedulingRefusal | null, about: Logged): void {
    const { log } = this;
    if (log === null) return;
    const isDebug = log.isLevelEnabled('debug');
    const context = about.caller === undefined ? { request_id: decision.requestId } : contextFields(about.caller);
    for (const { level, message, fields } of decisionLines(decision, refusal, { isDebug, isQuestion: about.dryRun })) {
      log[level]({ ...context, ...fields }, message);
    }
  }

  wording({ facts }: DecisionRecorder): Wording {
    const { options } = this.pipeline;
    return wordingOf({
      facts,
      novaCompat: options.novaCompat,
      hostAggregates: () => this.hosts.cloud().hostAggregates,
    });
  }

  /** Fills the table: every host with what it fails of Placement's conditions and of the filters. */
  async explainRefusal({ recorder, env, command: { caller } }: DecisionRun, refused: RefusedRequest): Promise<void> {
    const { spec, judged, unknown, isClaimLost, statesOf } = refused;
    const passes = recorder.facts.passes.filter(({ phase }) => phase === 'select');
    const [pass, ...others] = passes;
    if (pass !== undefined && (others.length > 0 || pass.ranking.length > 0)) {
      const hosts = await tasks.run(triedHosts(refused, passes, isClaimLost), caller);
      recorder.refused(await tasks.run(refusalOf(hosts), caller));
      return;
    }
    // Placement did not return these: a host beyond the bound was not asked, and is not part of the table.
    const missing = judged.flatMap(({ root, failures }) => (failures.length === 0 ? [] : [root.uuid]));
    const states = [...refused.states, ...(await statesOf(missing))];
    const { stage, survivors, skipsFilters } = preselect(states, spec, unknown);
    const enabled = pass === undefined ? null : new Set(pass.stages.map(({ name }) => name));
    const filters = skipsFilters
      ? []
      : this.pipeline.parts.filters.filter(({ part }) => enabled === null || enabled.has(part.name));
    const run = { hosts: survivors, spec, filters, index: 0, mode: 'all', env } as const;
    const { stages } = await tasks.run(filterTask(run), caller);
    const hosts = await tasks.run(refusedHosts({ judged, states }, [stage, ...stages]), caller);
    recorder.refused(await tasks.run(refusalOf(hosts), caller));
  }
}
