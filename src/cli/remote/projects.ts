// `berth projects [ID]`: use by project with its share of the cloud, or the largest consumers of one project.
import type { Schema } from '../../../client/src/routes.ts';
import { listed } from './listed';
import type { Action, Printing } from './printing';
import { printListing } from './printing';
import { amountText } from './readable';

type Project = Schema<'ListedProject'>;

export const showProjects: Action<Printing & { readonly sort?: string }> = async (client, streams, options, [id]) => {
  const path = '/reports/projects';
  const query = { sort: options.sort };
  if (id !== undefined) {
    const project = await client.get<Schema<'ReportedProject'>>(`${path}/${encodeURIComponent(id)}`, query);
    const rows = project.consumers.map(({ uuid, instance, hosts, allocations }) => {
      const amounts: Record<string, number> = {};
      for (const [name, amount] of Object.values(allocations).flatMap((each) => Object.entries(each))) {
        amounts[name] = (amounts[name] ?? 0) + amount;
      }
      const on = hosts.map(({ name }) => name);
      const shown = Object.entries(amounts).map(([name, amount]) => [name, amountText(name, amount)] as const);
      return { uuid, name: instance?.name, flavor: instance?.flavor, hosts: on, ...Object.fromEntries(shown) };
    });
    const columns = ['uuid', 'name', 'flavor', 'hosts', ...Object.keys(project.resource_classes)];
    return printListing(streams, options, { document: project, columns, rows, name: 'uuid', empty: '' });
  }
  const { entries } = await listed<Project>(client, path, { member: 'projects', query });
  const classes = new Set(entries.flatMap(({ resource_classes: uses }) => Object.keys(uses)));
  const rows = entries.map(({ project_id: project, instances, resource_classes: uses }) => {
    const row: Record<string, string | number> = { project, instances };
    for (const [name, { used, share }] of Object.entries(uses)) {
      row[name] = `${amountText(name, used)} (${Math.round(share * 100)} %)`;
    }
    return row;
  });
  const columns = ['project', 'instances', ...classes];
  printListing(streams, options, { document: entries, columns, rows, name: 'project', empty: 'No project has use.' });
};
