// Numbers of one process or of several as Prometheus reads them. A large cloud has thousands of lines, so each family is
// written in a turn of its own.
import { AggregatorRegistry, prometheusContentType } from 'prom-client';
import type { PrometheusContentType } from 'prom-client';
import { turns } from '../turns/turns';
import type { MetricDocument } from './family';

export const METRICS_TYPE = prometheusContentType;

/** One text for all processes, each of which handed in its documents. */
export async function metricsText(ofProcesses: readonly (readonly MetricDocument[])[]): Promise<string> {
  const byName = new Map<string, MetricDocument[]>();
  for (const document of ofProcesses.flat()) {
    const same = byName.get(document.name);
    if (same === undefined) byName.set(document.name, [document]);
    else same.push(document);
  }
  const texts: string[] = [];
  for (const same of byName.values()) {
    const family = AggregatorRegistry.aggregate<PrometheusContentType>(same.map((document) => [document]));
    texts.push(await family.metrics());
    await turns.giveWay();
  }
  return texts.join('\n');
}
