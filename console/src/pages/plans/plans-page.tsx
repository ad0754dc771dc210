// Plans of moves: the kept ones, and one with its figures, its moves by stage, and what cannot move.
import type { Schema } from '@berth/client';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { Link, useNavigate, useParams } from 'react-router';
import { pathTo } from '../../address/path-to';
import { useAnswer } from '../../service/questions';
import { usePlans } from '../../service/registries';
import { useSession } from '../../session/session';
import { countOf, cutList, shareText } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import { CommandText } from '../../shown/copy-text';
import type { Column } from '../../shown/data-table';
import { EmptyState } from '../../shown/empty-state';
import type { ListColumn } from '../../shown/list-table';
import { ListTable } from '../../shown/list-table';
import { PageHead } from '../../shown/page-head';
import { HostLink, PageLink } from '../../shown/page-link';
import { Panel } from '../../shown/part';
import { Sentence } from '../../shown/sentence';
import { SmallTable } from '../../shown/small-table';
import { TimeText } from '../../shown/time-text';
import { shortUuid } from '../instances/instance-search';
import { DeleteButton } from '../registries/delete-button';
import { labelOf } from './asked-plan';
import { PlanForm } from './plan-form';

type ListedPlan = Schema<'PlanHead'>;
type MovePlan = Schema<'MovePlan'>;
type Move = MovePlan['stages'][number][number];

/** Moves, and instances that cannot move; more take seconds to render. */
const SHOWN = 300;

export default function PlansPage() {
  const { id } = useParams();
  return id === undefined ? <PlanList /> : id === 'new' ? <PlanForm /> : <Plan id={id} />;
}

function PlanList() {
  const mayCreate = useSession().may('berth:scheduler:plans:create');
  const question = usePlans({ isPolled: true });
  return (
    <>
      <PageHead title="Plans" subtitle="Moves that drain hosts, make room for a flavor, balance use or empty hosts." />
      <ListTable
        question={question}
        list={question.data}
        one="plan"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        textOf={({ id, goal, sentence }) => [id, goal, sentence].join(' ')}
        defaultSort="-made"
        empty={<EmptyState title="No plan yet" />}
        actions={mayCreate && <Button {...NEW}>New plan</Button>}
      />
    </>
  );
}

const NEW = { component: Link, to: '/plans/new' } as const;

const linkOf = (plan: ListedPlan) => <PageLink to={`/plans/${plan.id}`}>{plan.sentence}</PageLink>;
const madeOf = ({ created_at: at }: ListedPlan): string => at;
const doneOf = ({ outcomes }: ListedPlan): number => outcomes.done;
const movesOf = ({ outcomes }: ListedPlan): number => Object.values(outcomes).reduce((sum, count) => sum + count);

const COLUMNS: readonly ListColumn<ListedPlan>[] = [
  { key: 'plan', name: 'Plan', width: 'minmax(240px, 4fr)', value: ({ sentence }) => sentence, cell: linkOf },
  { key: 'goal', name: 'Goal', value: ({ goal }) => labelOf(goal) },
  { key: 'made', name: 'Made', width: '116px', value: madeOf, cell: (plan) => <TimeText at={madeOf(plan)} /> },
  { key: 'done', name: 'Done', value: doneOf, cell: (plan) => `${doneOf(plan)} of ${countOf(movesOf(plan), 'move')}` },
  { key: 'complete', name: 'Goal reached', width: '120px', value: ({ complete }) => (complete ? 'yes' : 'no') },
];

function Plan({ id }: { readonly id: string }) {
  const { may, service } = useSession();
  const { plans } = service.scheduler.scheduler;
  const navigate = useNavigate();
  const question = useAnswer('decisions', ['plan', id], (_, signal) => plans.get(id, { signal }), { everyMs: 5_000 });
  const plan = question.data;
  const deletion = { remove: () => plans.delete(id), onRemoved: () => void navigate('/plans') };
  return (
    <>
      <PageHead
        title={plan ? `${labelOf(plan.goal)} ${cutList(plan.hosts, 3)}` : 'Plan'}
        above={{ name: 'Plans', to: '/plans' }}
        subtitle={plan && <TimeText at={plan.created_at} />}
        actions={plan && may('berth:scheduler:plans:delete') && <DeleteButton what="the plan" {...deletion} />}
      />
      <Answered question={question}>{(answer) => <Sections plan={answer} />}</Answered>
    </>
  );
}

function Sections({ plan }: { readonly plan: MovePlan }) {
  const { sentence, stages, cannot_move: staying, outcomes, warnings, before, after, rounds } = plan;
  const figures = FIGURES.filter((name) => after[name] !== null);
  const changeOf = (name: keyof typeof before) =>
    `${labelOf(name)} ${figureOf(before, name)} → ${figureOf(after, name)}`;
  const shown = stages.filter(([first]) => (first?.number ?? 0) <= SHOWN);
  const isOpen = outcomes.waiting + outcomes.running + outcomes.failed > 0;
  return (
    <Stack gap="md">
      <Panel title={sentence}>
        <Text>{figures.map(changeOf).join('; ')}</Text>
        <Text mb="xs">{rounds.map(({ hosts }, at) => `Round ${at + 1}: ${hosts.join(', ')}`).join('; ')}</Text>
        {isOpen && <CommandText command={`berth plan run ${plan.id}`} />}
      </Panel>
      {warnings.length > 0 && <Alert color="yellow">{warnings.join(' ')}</Alert>}
      {staying.length > 0 && (
        <Panel title={`Cannot move: ${countOf(staying.length, 'instance')}`}>
          <SmallTable label="Cannot move" columns={STAYING} rows={staying.slice(0, SHOWN)} {...TABLE} />
        </Panel>
      )}
      {shown.map((rows, at) => (
        <Panel key={at} title={`Stage ${at + 1}: ${countOf(rows.length, 'move')}`}>
          <SmallTable label={`Stage ${at + 1}`} columns={MOVE} rows={rows.slice(0, SHOWN)} {...TABLE} />
        </Panel>
      ))}
      {[...stages.flat(), ...staying].length > SHOWN && (
        <Text>{`berth plan show ${plan.id} shows more than ${SHOWN}.`}</Text>
      )}
    </Stack>
  );
}

const FIGURES = ['used_hosts', 'empty_hosts', 'highest_use', 'spread', 'places'] as const;

const figureOf = (of: MovePlan['before'], name: keyof MovePlan['before']): string =>
  name === 'highest_use' ? shareText(of.highest_use) : String(Number(of[name]?.toFixed(1)));

const TABLE = { keyOf: ({ instance }: Pick<Move, 'instance'>): string => instance.uuid, minWidth: 720 };
const instanceOf = ({ instance: { uuid, name } }: Pick<Move, 'instance'>) => (
  <PageLink to={pathTo('/instances', { search: uuid })}>{name ?? shortUuid(uuid)}</PageLink>
);

const outcomeOf = ({ outcome }: Move) => {
  const text = [outcome?.state ?? 'waiting', outcome?.message ?? outcome?.reason].filter(Boolean).join(': ');
  return <Sentence text={text} c={outcome?.state === 'failed' ? 'var(--mantine-color-error)' : 'inherit'} />;
};

const MOVE: readonly Column<Move>[] = [
  { key: 'number', name: 'Move', width: '56px', cell: ({ number }) => number },
  { key: 'instance', name: 'Instance', width: '120px', cell: instanceOf },
  { key: 'from', name: 'From', width: '100px', cell: ({ source }) => <HostLink name={source.host} /> },
  { key: 'to', name: 'To', width: '100px', cell: ({ target }) => <HostLink name={target.host} /> },
  { key: 'reason', name: 'Reason', cell: ({ reason }) => <Sentence text={reason} /> },
  { key: 'after', name: 'Waits for', width: '94px', cell: ({ after }) => after.join(', ') },
  { key: 'outcome', name: 'Outcome', width: '120px', cell: outcomeOf },
];

const STAYING: readonly Column<MovePlan['cannot_move'][number]>[] = [
  { key: 'instance', name: 'Instance', width: '120px', cell: instanceOf },
  { key: 'host', name: 'Host', width: '100px', cell: ({ host }) => host && <HostLink name={host.host} /> },
  { key: 'why', name: 'Why', cell: ({ sentence }) => <Sentence text={sentence} /> },
  { key: 'help', name: 'What would help', width: '200px', cell: ({ remedy }) => <Sentence text={remedy ?? ''} /> },
];
