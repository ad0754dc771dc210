// `berth plan drain|waves|room|balance|pack|list|show|delete`: plans of moves. `berth plan run` is in plan-run/.
import type { Schema } from '../../../client/src/routes.ts';
import { EXIT } from '../command-context';
import { renderTable } from '../table';
import { instanceUuid } from './instances';
import { listed } from './listed';
import type { Action, Printing } from './printing';
import { printDocument, printListing } from './printing';
import { ageText, amountsText, readable } from './readable';

type Plan = Schema<'MovePlan'>;

/** Options that have other names as fields of the request. */
const FIELDS: Readonly<Record<string, string>> = {
  aggregate: 'host_aggregates',
  zone: 'availability_zones',
  class: 'resource_classes',
  time: 'time_limit',
};

type PlanOptions = Printing &
  Readonly<Record<'keepInstance' | 'keepHost' | 'keepProject', readonly string[]>> & { readonly liveOnly?: true };

const PATH = '/scheduler/plans';

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Exit code 1 if the plan does not reach the goal. */
export const makePlan =
  (goal: Plan['goal']): Action<PlanOptions> =>
  async (client, streams, options, hosts) => {
    const { keepInstance, keepHost, keepProject, liveOnly, output: _output, ...given } = options;
    const fields = Object.entries<unknown>(given).map(([name, value]) => [FIELDS[name] ?? snakeCase(name), value]);
    const instances = await Promise.all(keepInstance.map((each) => instanceUuid(client, each)));
    const plan = await client.post<Plan>(PATH, {
      goal,
      ...(hosts.length > 0 && { hosts }),
      ...(Object.fromEntries(fields) as object),
      stay: { instances, hosts: keepHost, projects: keepProject },
      ...(liveOnly && { move_types: ['live'] }),
    });
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
    outcome: [outcome?.state, outcome?.message ?? outcome?.reason].filter(Boolean).join(': '),
    uuid: instance.uuid,
    resources: amountsText(move.amounts),
    because: readable(move.reason),
  }));
  const columns = ['move', 'stage', 'after', 'instance', 'from', 'to', 'outcome'];
  const shown = isWide ? [...columns, 'uuid', 'resources', 'because'] : columns;
  const fixed = staying.map(
    ({ instance, host, sentence: why, remedy }) =>
      `  ${nameOf(instance)}${host === null ? '' : ` on ${host.host}`}: ${readable(why)}\n${remedy === null ? '' : `    ${readable(remedy)}\n`}`,
  );
  const isOpen = plan.outcomes.waiting + plan.outcomes.running + plan.outcomes.failed > 0;
  return [
    `${readable(sentence)}\n`,
    ...(rows.length === 0 ? [] : [renderTable(shown, rows)]),
    ...plan.rounds.map(({ hosts, moves }, at) => `Round ${at + 1}, ${moves} moves: ${hosts.join(', ')}\n`),
    ...(fixed.length === 0 ? [] : [`Cannot move:\n${fixed.join('')}`]),
    ...(rows.length === 0 ? [] : [figuresText(plan)]),
    ...warnings.map((warning) => `Warning: ${readable(warning)}\n`),
    ...(isOpen ? [`Run it: berth plan run ${id}\n`] : []),
  ].join('\n');
}

const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;

const figuresText = ({ before, after }: Plan): string =>
  [
    `Used hosts: ${before.used_hosts} -> ${after.used_hosts}, empty: ${before.empty_hosts} -> ${after.empty_hosts}`,
    `Highest use: ${percent(before.highest_use)} -> ${percent(after.highest_use)}`,
    `Spread of use, in percentage points: ${before.spread.toFixed(1)} -> ${after.spread.toFixed(1)}\n`,
  ].join('\n');
