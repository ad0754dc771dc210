// Use by project: the list, and one project with its largest consumers.
import type { Schema } from '@berth/client';
import { Group, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { pathTo, projectPath } from '../../address/path-to';
import { useAnswer } from '../../service/questions';
import { useProjects } from '../../service/registries';
import { amountText, classText, countOf, shareText, sortedClasses } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import { EmptyState } from '../../shown/empty-state';
import type { ListColumn } from '../../shown/list-table';
import { ListTable } from '../../shown/list-table';
import { PageHead } from '../../shown/page-head';
import { PageLink } from '../../shown/page-link';
import { ConsumersTable } from '../host/consumers-table';
import { Bars } from '../host/provider-box';
import { consumerRows } from '../host/provider-tree';

const EVERY_MS = 60_000;

export default function ProjectsPage() {
  const { id } = useParams();
  return id === undefined ? <ProjectList /> : <Project id={id} />;
}

function ProjectList() {
  const question = useProjects();
  const classes = new Set(question.data?.rows.flatMap((row) => Object.keys(row.resource_classes)));
  return (
    <>
      <PageHead title="Projects" subtitle="Use, and its share of the capacity of the cloud" />
      <ListTable
        question={question}
        list={question.data}
        one="project"
        columns={[...COLUMNS, ...sortedClasses(classes).map(shareColumn)]}
        keyOf={({ project_id: id }) => id}
        textOf={({ project_id: id }) => id}
        empty={
          <EmptyState title="No project uses anything">Projects appear here with their first instance.</EmptyState>
        }
      />
    </>
  );
}

type Column = ListColumn<Schema<'ListedProject'>>;

const COLUMNS: readonly Column[] = [
  {
    key: 'project',
    name: 'Project',
    width: 'minmax(170px, 2fr)',
    value: ({ project_id: id }) => id,
    cell: ({ project_id: id }) => <PageLink to={projectPath(id)}>{id}</PageLink>,
  },
  { key: 'instances', name: 'Instances', align: 'right', width: '110px', value: ({ instances }) => instances },
];

const shareColumn = (name: string): Column => ({
  key: name,
  name: classText(name),
  align: 'right',
  width: 'minmax(130px, 1fr)',
  value: ({ resource_classes: { [name]: use } }) => use?.used ?? null,
  cell: ({ resource_classes: { [name]: use } }) =>
    use === undefined ? '–' : `${amountText(name, use.used)}, ${shareText(use.share)}`,
});

function Project({ id }: { readonly id: string }) {
  const question = useAnswer(
    'slow',
    ['project', id],
    ({ reports }, signal) => reports.projects.get(id, {}, { signal }),
    { everyMs: EVERY_MS },
  );
  const links = (
    <Group gap="sm">
      <PageLink to={pathTo('/instances', { project_id: id })}>
        {countOf(question.data?.instances ?? 0, 'instance')}
      </PageLink>
      <PageLink to={pathTo('/registries/groups', { q: id })}>Server groups</PageLink>
    </Group>
  );
  return (
    <>
      <PageHead title={id} above={{ name: 'Projects', to: '/projects' }} subtitle={links} />
      <Answered question={question}>
        {({ resource_classes: uses, consumers, consumers_truncated: isCut, sorted_by: by }) => (
          <Stack gap="lg">
            <Bars figures={uses} />
            <ConsumersTable question={question} of={id} rows={consumerRows(consumers)} isCut={isCut} by={by} />
          </Stack>
        )}
      </Answered>
    </>
  );
}
