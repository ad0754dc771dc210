// Metrics of requests: number, status and duration.
import type { RequestCounters } from '../http/request-counters';
import type { MetricFamily } from './family';
import { counter, histogram } from './family';

const ROUTE_LABELS = {
  surface: '`placement`, `scheduler`, `reports`, `console`, `practice_cloud` or `operations`',
  method: 'the method of the route; `other` if the route does not have it',
  route: 'the template of the path; `none` for requests without a route',
};

export const httpMetrics = (requests: RequestCounters): readonly MetricFamily[] => [
  counter({
    name: 'berth_http_requests_total',
    help: 'Answered requests.',
    labels: {
      ...ROUTE_LABELS,
      status: 'the status of the answer',
    },
    *read() {
      for (const counters of requests.all) {
        const { surface, method, template: route } = counters;
        for (const [status, value] of counters.answers) {
          yield { labels: { surface, method, route, status: String(status) }, value };
        }
      }
    },
  }),
  histogram({
    name: 'berth_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its answer.',
    labels: ROUTE_LABELS,
    *read() {
      for (const counters of requests.all) {
        const { surface, method, template: route, durations: distribution } = counters;
        if (counters.answers.size > 0) yield { labels: { surface, method, route }, distribution };
      }
    },
  }),
];
