// `berth plan drain|room|balance|pack|list|show|delete`: plans of moves. `berth plan run` is in plan-run/.
import type { Schema } from '../../../client/src/routes.ts';
import { EXIT } from '../command-context';
import { renderTable } from '../table';
import { instanceUuid } from './instances';
import { listed } from './listed';
import type { Action, Printing } from './printing';
import { printDocument, printListing } from './printing';
import { ageText, amountsText, readable } from './readable';

type Plan = Schema<'MovePlan'>;

/** The options of all goals. */
interface PlanOptions extends Printing {
  readonly aggregate?: readonly string[];
  readonly zone?: readonly string[];
  readonly flavor?: string;
  readonly count?: number;
  readonly class?: readonly string[];
  readonly over?: string;
  readonly keepInstance: readonly string[];
  readonly keepHost: readonly string[];
  readonly keepProject: readonly string[];
  readonly maxMoves?: number;
  readonly maxMovesPerHost?: number;
  readonly minGain?: number;
  readonly liveOnly?: true;
  readonly time?: number;
  readonly seed?: number;
}

const PATH = '/scheduler/plans';

/** Exit code 1 if the plan does not reach the goal. */
export const makePlan =
  (goal: Plan['goal']): Action<PlanOptions> =>
  async (client, streams, options, hosts) => {
    const body = {
      goal,
      hosts: hosts.length === 0 ? undefined : hosts,
      host_aggregates: options.aggregate,
      availability_zones: options.zone,
      flavor: options.flavor,
      count: options.count,
      resource_classes: options.class,
      over: options.over,
      stay: {
        instances: await Promise.all(options.keepInstance.map((each) => instanceUuid(client, each))),
        hosts: options.keepHost,
        projects: options.keepProject,
      },
      max_moves: options.maxMoves,
      max_moves_per_host: options.maxMovesPerHost,
      min_gain: options.minGain,
      move_types: options.liveOnly && ['live'],
      time_limit: options.time,
      seed: options.seed,
    };
    const plan = await client.post<Plan>(PATH, body);
    printPlan(streams, options, plan);
    return plan.complete ? EXIT.done : EXIT.failed;
  };

export const showPlan: Action = async (client, streams, printing, [id = '']) => {
  printPlan(streams, printing, await client.get<Plan>(`${PATH}/${encodeURIComponent(id)}`));
};

export const deletePlan: Action = async (client, { stdout }, _options, ids) => {
  for (const id of ids) {
    await client.delete(`${PATH}/${encodeURIComponent(id)}`);
    stdout(`Plan ${id} is deleted.\n`);
  }
};

export const listPlans: Action<Printing & { readonly limit: number }> = async (client, streams, options) => {
  const { limit } = options;
  const { entries, isCut } = await listed<Schema<'PlanHead'>>(client, PATH, { member: 'plans', most: limit });
  const rows = entries.map((plan) => ({
    ...plan,
    made: ageText(plan.created_at),
    outcomes: Object.entries(plan.outcomes).flatMap(([state, count]) => (count > 0 ? [`${count} ${state}`] : [])),
  }));
  printListing(streams, options, {
    document: entries,
    columns: ['made', 'goal', 'outcomes', 'id', 'sentence'],
    wide: ['created_at', 'expires_at', 'complete', 'request_id'],
    rows,
    name: 'id',
    empty: 'No plan is kept.',
    more: isCut && `--limit N shows more than ${limit}`,
  });
};

const printPlan = (streams: Parameters<typeof printDocument>[0], printing: Printing, plan: Plan): void =>
  printDocument(streams, printing, plan, { text: () => textOf(plan, printing.output === 'wide'), names: [plan.id] });

const nameOf = ({ name, uuid }: Plan['cannot_move'][number]['instance']): string => name ?? uuid;

function textOf(plan: Plan, isWide: boolean): string {
  const { sentence, stages, cannot_move: staying, warnings, id } = plan;
  const rows = stages.flat().map(({ instance, source, target, outcome, ...move }) => ({
    move: move.number,
    stage: move.stage,
    after: move.after.map(String),
    instance: nameOf(instance),
    from: source.host,
    to: target.host,
    outcome: outcome?.state,
    said: outcome?.message ?? outcome?.reason,
    uuid: instance.uuid,
    resources: amountsText(move.amounts),
    because: readable(move.reason),
  }));
  const columns = ['move', 'stage', 'after', 'instance', 'from', 'to', 'outcome', 'said'];
  const shown = columns.filter(
    (name) => !['outcome', 'said'].includes(name) || rows.some((row) => Boolean(row[name as 'said'])),
  );
  const fixed = staying.map(
    ({ instance, host, sentence: why, remedy }) =>
      `  ${nameOf(instance)}${host === null ? '' : ` on ${host.host}`}: ${readable(why)}\n${remedy === null ? '' : `    ${readable(remedy)}\n`}`,
  );
  const isOpen = plan.outcomes.waiting + plan.outcomes.running + plan.outcomes.failed > 0;
  return [
    `${readable(sentence)}\n`,
    ...(rows.length === 0 ? [] : [renderTable(isWide ? [...shown, 'uuid', 'resources', 'because'] : shown, rows)]),
    ...(fixed.length === 0 ? [] : [`Cannot move:\n${fixed.join('')}`]),
    ...(rows.length === 0 ? [] : [figuresText(plan)]),
    ...warnings.map((warning) => `Warning: ${readable(warning)}\n`),
    ...(isOpen ? [`Run it: berth plan run ${id}\n`] : []),
  ].join('\n');
}

const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;

function figuresText({ before, after }: Plan): string {
  const change = (figure: string, of: (state: Plan['before']) => string | number | null): string =>
    `${figure} ${of(before)} -> ${of(after)}`;
  const places = after.places === null ? [] : [change('places', (of) => of.places)];
  const hosts = [change('used hosts', (of) => of.used_hosts), change('empty hosts', (of) => of.empty_hosts)];
  const use = [change('highest use', (of) => percent(of.highest_use)), change('spread', (of) => of.spread.toFixed(1))];
  return `${[...hosts, ...use, ...places].join('; ')}\n`;
}
