// Metrics of the provider graph in memory: its size, its age and its updates.
import type { MetricFamily } from '../../platform/metrics/family';
import { counter, gauge, one } from '../../platform/metrics/family';
import type { GraphSource } from './graph-source';

export const graphMetrics = (graphs: GraphSource): readonly MetricFamily[] => [
  gauge({
    name: 'berth_graph_trees',
    help: 'Provider trees in memory.',
    read: () => one(graphs.status.trees),
  }),
  gauge({
    name: 'berth_graph_age_seconds',
    help: 'Time since the graph was last compared with the database. Each search compares it, and so does a timer.',
    read: () => one(graphs.status.ageSeconds),
  }),
  gauge({
    name: 'berth_graph_changes_behind',
    help: 'Committed changes that the graph does not have yet. The next search applies them first.',
    read: async () => one(await graphs.countUnread()),
  }),
  counter({
    name: 'berth_graph_refreshes_total',
    help: 'Comparisons of the graph with the change log.',
    read: () => one(graphs.counts.refreshes),
  }),
  counter({
    name: 'berth_graph_changes_applied_total',
    help: 'Changes applied to the graph: rows of usage, trees that were read again, and whole loads.',
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
