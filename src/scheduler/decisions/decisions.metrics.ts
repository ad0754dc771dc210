// Metrics of the scheduler's decisions: outcomes, refusals, and rejections of hosts.
import type { MetricFamily } from '../../platform/metrics/family';
import { counter, gauge, histogram, one } from '../../platform/metrics/family';
import type { RequestClasses } from '../request-classes/request-classes';
import type { DecisionCounters } from './decision-counters';
import type { DecisionStore } from './decision-store';

const CODE = 'the code of the refusal; `other` beyond 500 pairs';
const STAGE = '`request`, `prefilter`, `placement`, `claim`, or the name of a filter';

export const decisionMetrics = (
  counters: DecisionCounters,
  store: Pick<DecisionStore, 'dropped'>,
  classes: Pick<RequestClasses, 'checks' | 'counts' | 'sizes'>,
): readonly MetricFamily[] => [
  counter({
    name: 'berth_decisions_total',
    help: 'Decisions by outcome.',
    labels: {
      kind: '`decision`, or `question` if nothing was to be claimed',
      outcome: '`placed`, `no_valid_host`, `refused` or `failed`',
      code: 'the code of the refusal; `none` when placed',
    },
    *read() {
      for (const { names, count } of counters.outcomes) {
        const [kind, outcome, code] = names;
        yield { labels: { kind, outcome, code }, value: count };
      }
    },
  }),
  counter({
    name: 'berth_decisions_refused_total',
    help: 'Decisions and questions that placed nothing, by the stage that rejected the last host and its most frequent code.',
    labels: { stage: STAGE, code: CODE },
    *read() {
      for (const { names, count } of counters.refusals)
        yield { labels: { stage: names[0], code: names[1] }, value: count };
    },
  }),
  counter({
    name: 'berth_hosts_rejected_total',
    help: 'Rejected hosts of all decisions.',
    labels: { stage: STAGE, code: CODE },
    *read() {
      for (const { names, count } of counters.rejections)
        yield { labels: { stage: names[0], code: names[1] }, value: count };
    },
  }),
  histogram({
    name: 'berth_decision_duration_seconds',
    help: 'Time of a decision.',
    read: () => [{ labels: {}, distribution: counters.durations }],
  }),
  counter({
    name: 'berth_decision_hosts_asked_total',
    help: 'Searches of decisions: answered by the kept hosts of a request class, or by asking every host anew.',
    labels: { hosts: '`kept` or `anew`' },
    *read() {
      for (const [hosts, value] of Object.entries(classes.counts)) yield { labels: { hosts }, value };
    },
  }),
  counter({
    name: 'berth_decision_checks_total',
    help: 'Answers of kept hosts that were compared with a search of every host.',
    labels: { result: '`same`, `changed` if hosts changed meanwhile, or `different`, which is a fault' },
    *read() {
      for (const [result, value] of Object.entries(classes.checks)) yield { labels: { result }, value };
    },
  }),
  gauge({
    name: 'berth_request_classes',
    help: 'Request classes whose hosts are kept.',
    read: () => one(classes.sizes.classes),
  }),
  gauge({
    name: 'berth_request_classes_bytes',
    help: 'Memory of the kept hosts of request classes, estimated.',
    read: () => one(classes.sizes.bytes),
  }),
  counter({
    name: 'berth_decisions_not_kept_total',
    help: 'Decisions whose record could not be written.',
    read: () => one(store.dropped),
  }),
];
