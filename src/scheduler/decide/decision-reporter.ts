// Reports a decision: determines the explanation and the words of a refusal, and writes the log lines. For a decision
// that placed everything, this only checks the log level.

import { tasks } from '../../platform/event-loop/task-scheduler';
import { contextFields } from '../../platform/logging/log-context';
import type { DecisionLog } from '../../platform/logging/logger.token';
import { countFilters } from '../../scheduling-rules/pipeline/condition-counts';
import type { Decision, PassRecord } from '../../scheduling-rules/pipeline/decision';
import type { DecisionRecorder } from '../../scheduling-rules/pipeline/explanation';
import { missesOfFilters } from '../../scheduling-rules/pipeline/filter-misses';
import type { FilterRun, FilterRunResult, StageRecord } from '../../scheduling-rules/pipeline/run-filters';
import { filterTask } from '../../scheduling-rules/pipeline/run-filters';
import type { Wording } from '../../scheduling-rules/pipeline/wording';
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
    const { parts, options } = this.pipeline;
    return wordingOf({
      facts,
      filters: parts.filters,
      novaCompat: options.novaCompat,
      hostAggregates: () => this.hosts.cloud().hostAggregates,
    });
  }

  /** Why the hosts that placement kept back were none, and which of the others lack one thing only. */
  async explainRefusal({ recorder, env, command: { caller } }: DecisionRun, found: FoundHosts): Promise<void> {
    const { spec, search, plan, answer, states: hosts } = found;
    await search.explainOthers(plan, answer);
    const passes = recorder.facts.passes.filter(({ phase }) => phase === 'select');
    const { filters } = this.pipeline.parts;
    const wording = this.wording(recorder);
    const runFilters = (run: FilterRun): Promise<FilterRunResult> => tasks.run(filterTask(run), caller);
    recorder.missed({ misses: await missesOfFilters({ passes, hosts, spec, filters, env, wording, runFilters }) });
    const [pass, ...others] = passes;
    // The hosts of a later instance of a batch are not kept, so no filter can judge them again.
    if (pass === undefined || others.length > 0 || pass.ranking.length > 0) return;
    const stages = await allVerdicts(pass, { hosts, spec, filters, index: 0, mode: 'all', env }, runFilters);
    recorder.counted(
      await tasks.run(countFilters({ hosts: pass.stages[0]?.in ?? hosts.length, stages }, wording), caller),
    );
  }
}

/** The stages of the pass with the verdict of every filter on every host; a driver can run filters of its own choice. */
async function allVerdicts(
  { stages }: PassRecord,
  run: FilterRun,
  runFilters: (run: FilterRun) => Promise<FilterRunResult>,
): Promise<readonly StageRecord[]> {
  const names = new Set(stages.map(({ name }) => name));
  const filters = run.filters.filter(({ part }) => names.has(part.name));
  const judged = await runFilters({ ...run, filters });
  return [...stages.filter(({ kind }) => kind === 'preselection'), ...judged.stages];
}
