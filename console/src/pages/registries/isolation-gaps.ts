// Finds metadata keys that isolate images, and the hosts without the key. A host in no aggregate with the key accepts
// every image, because no value contradicts the image's property.
import type { Schema } from '@berth/client';
import { byName } from '../../shown/by-name';

type HostAggregate = Schema<'HostAggregate'>;

export interface IsolationGap {
  readonly key: string;
  /** The values of the key, for example `linux, windows`. */
  readonly values: readonly string[];
  /** Hosts in no aggregate that has the key. */
  readonly hosts: readonly string[];
  /** Aggregates of these hosts. */
  readonly aggregates: readonly string[];
}

/** `properties`: of all images; `hosts`: all hosts. Sorted by the number of hosts, largest first. */
export function isolationGaps(
  aggregates: readonly HostAggregate[],
  properties: readonly Readonly<Record<string, string>>[],
  hosts: readonly string[],
): readonly IsolationGap[] {
  const asked = new Set(properties.flatMap((each) => Object.keys(each)));
  const keys = new Set(aggregates.flatMap(({ metadata }) => Object.keys(metadata)).filter((key) => asked.has(key)));
  return [...keys]
    .map((key) => gapOf(key, aggregates, hosts))
    .filter((gap) => gap.hosts.length > 0)
    .sort((a, b) => b.hosts.length - a.hosts.length || byName(a.key, b.key));
}

function gapOf(key: string, aggregates: readonly HostAggregate[], all: readonly string[]): IsolationGap {
  const having = aggregates.filter(({ metadata }) => metadata[key] !== undefined);
  const covered = new Set(having.flatMap(({ hosts }) => hosts));
  const hosts = all.filter((host) => !covered.has(host));
  const bare = new Set(hosts);
  return {
    key,
    values: [...new Set(having.map(({ metadata }) => metadata[key] ?? ''))].sort(byName),
    hosts,
    aggregates: aggregates.filter((each) => each.hosts.some((host) => bare.has(host))).map(({ uuid }) => uuid),
  };
}
