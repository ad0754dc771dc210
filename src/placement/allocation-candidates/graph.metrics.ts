// Metrics of the provider graph in memory: its size, its age and its updates.
import type { MetricFamily, Sample } from '../../platform/metrics/family';
import { counter, gauge, one } from '../../platform/metrics/family';
import type { GraphSource } from './graph-source';

export const graphMetrics = (graphs: GraphSource): readonly MetricFamily[] => [
  gauge({
    name: 'berth_graph_trees',
    help: 'Provider trees in memory.',
    read: () => status(graphs, 'trees'),
  }),
  gauge({
    name: 'berth_graph_age_seconds',
    help: 'Time since the graph was as new as the database; each search brings it up to date, and a timer does.',
    read: () => status(graphs, 'ageSeconds'),
  }),
  gauge({
    name: 'berth_graph_changes_behind',
    help: 'Changes that are committed and not in the graph yet; the next search takes them in before it begins.',
    read: async () => one(await graphs.countUnread()),
  }),
  counter({
    name: 'berth_graph_refreshes_total',
    help: 'Times that the graph was compared with the change log.',
    read: () => one(graphs.counts.refreshes),
  }),
  counter({
    name: 'berth_graph_changes_applied_total',
    help: 'What the graph took in: rows of usage, trees that were read again, and whole loads.',
    labels: { kind: '`usage`, `tree` or `whole`' },
    read: () => {
      const { usageRows, treeReloads, wholeReloads } = graphs.counts;
      return [
        { labels: { kind: 'usage' }, value: usageRows },
        { labels: { kind: 'tree' }, value: treeReloads },
        { labels: { kind: 'whole' }, value: wholeReloads },
      ];
    },
  }),
];

/** Nothing where no graph is kept. */
function status({ status: now }: GraphSource, what: 'trees' | 'ageSeconds'): readonly Sample[] {
  return now === null ? [] : one(now[what]);
}
