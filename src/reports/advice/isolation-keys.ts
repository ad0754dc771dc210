// Hosts that an isolation by image properties leaves open. AggregateImagePropertiesIsolation rejects an image only on
// hosts whose aggregates have its property with other values. Hosts whose aggregates do not have the key accept every
// image: for example, Windows images are placed on Linux hosts.
import { unitedMetadata } from '../../scheduling-rules/filters/aggregate-metadata';
import type { HostAggregate } from '../../scheduling-rules/host-state/host-state';
import { isKnownImageProperty } from '../../scheduling-rules/request/image-properties';
import type { Advice } from './advice';
import { adviceOf, command, counted } from './advice';
import type { AdvisedHost, HostsByAggregates } from './advised-hosts';
import { hostSubject } from './advised-hosts';

/** The filter's options that say which keys isolate. */
export interface IsolationRules {
  /** Only keys with this prefix isolate; null: all keys. */
  readonly prefix: string | null;
  /** Keys whose absence rejects images as well, so no host is open. */
  readonly strict: readonly string[];
}

/** `rules` null: the filter does not run. `valuesOf`: the values of a property in the registered images. */
export function isolationKeys(
  hosts: HostsByAggregates,
  rules: IsolationRules | null,
  valuesOf: (property: string) => Iterable<string>,
): readonly Advice[] {
  if (rules === null) return [];
  const keys = new Set<string>();
  for (const aggregates of hosts.keys()) for (const key of unitedMetadata(aggregates).keys()) keys.add(key);
  return [...keys]
    .filter((key) => isolates(key, rules))
    .sort()
    .flatMap((key) => adviceOn(key, hosts, valuesOf(key)));
}

/** Traits in the metadata belong to another isolation, which leaves hosts open by design. */
const isolates = (key: string, { prefix, strict }: IsolationRules): boolean =>
  isKnownImageProperty(key) && !key.startsWith('trait:') && !strict.includes(key) && key.startsWith(prefix ?? '');

function adviceOn(key: string, hosts: HostsByAggregates, imageValues: Iterable<string>): readonly Advice[] {
  const open = [...hosts].filter(([aggregates]) => !unitedMetadata(aggregates).has(key));
  const closed = [...hosts].filter(([aggregates]) => unitedMetadata(aggregates).has(key));
  const without = open.flatMap(([, them]) => them);
  if (without.length === 0) return [];
  const used = new Set(closed.flatMap(([aggregates]) => [...(unitedMetadata(aggregates).get(key) ?? [])]));
  const value = otherValue(key, used, imageValues);
  const shown = [...used].sort().join(', ');
  return [
    adviceOf({
      kind: 'isolation_key_missing',
      severity: 'warning',
      sentence:
        `${counted(without.length, 'host')} ${without.length === 1 ? 'is' : 'are'} in no host aggregate with the key ` +
        `${key}, by which others are kept for ${shown}: images with ${key} = ${shown} come there as well. Name the key ` +
        `everywhere, or list it in [filter_scheduler] aggregate_image_properties_isolation_strict.`,
      subjects: without.map(hostSubject),
      commands: keySet(`${key}=${value}`, open, new Set(closed.flatMap(([own]) => own.map(({ uuid }) => uuid)))),
      key,
    }),
  ];
}

/** The value for open hosts: other values of the images; if there are none, the other of the two usual systems. */
function otherValue(key: string, used: ReadonlySet<string>, imageValues: Iterable<string>): string {
  const others = [...new Set(imageValues)].filter((value) => !used.has(value) && !value.includes(',')).sort();
  if (others.length > 0) return others.join(',');
  if (key !== 'os_type') return 'none';
  return used.has('linux') ? 'windows' : 'linux';
}

/** Sets the key on aggregates without a closed host. Hosts in no such aggregate join a new one. */
function keySet(
  property: string,
  open: readonly (readonly [readonly HostAggregate[], readonly AdvisedHost[]])[],
  closed: ReadonlySet<string>,
): readonly string[] {
  const chosen = new Set<string>();
  const alone: AdvisedHost[] = [];
  for (const [aggregates, hosts] of open) {
    const fitting = aggregates.find(({ uuid }) => !closed.has(uuid));
    if (fitting === undefined) alone.push(...hosts);
    else chosen.add(fitting.name);
  }
  const set = [...chosen].map((name) => command('openstack', 'aggregate', 'set', '--property', property, name));
  if (alone.length === 0) return set;
  const name = property.replaceAll(/[^a-z0-9]+/gi, '-');
  return [
    ...set,
    command('openstack', 'aggregate', 'create', '--property', property, name),
    ...alone.map((host) => command('openstack', 'aggregate', 'add', 'host', name, host.name)),
  ];
}
