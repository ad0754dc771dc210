// Finds what changed of hosts: compares them with the last time, in memory; no request waits for it. A process that starts
// does not know what was before.
import { Inject, Injectable } from '@nestjs/common';
import { RegistriesConfig } from '../../compute/registries.config';
import { serviceStateOf } from '../../compute/services/service-liveness';
import { GraphSource } from '../../placement/allocation-candidates/graph-source';
import type { Provider, ProviderGraph, Tree } from '../../placement/candidate-search';
import { Database } from '../../platform/database/database';
import { chunks } from '../../platform/database/sql';
import { tasks } from '../../platform/event-loop/task-scheduler';
import type { Task } from '../../platform/values/task';
import { forEachInSteps } from '../../platform/values/task';
import type { ReportedHosts } from '../../scheduler/ports';
import { REPORTED_HOSTS } from '../../scheduler/ports';
import type { HostEvent } from './host-events.repository';
import { recordEvents } from './host-events.repository';

const EVENTS_PER_WRITE = 200;
/** Follows the status. */
const STATUS_TRAIT = 'COMPUTE_STATUS_DISABLED';

type Facts = ReadonlyMap<string, string>;
/** Hosts at one time: the tree of each, and the facts of its service, if it has reported. */
type Hosts = Map<string, { readonly tree: Tree; readonly service: Facts | undefined }>;

@Injectable()
export class HostChanges {
  private before: Hosts = new Map();

  constructor(
    private readonly db: Database,
    private readonly graphs: GraphSource,
    @Inject(REPORTED_HOSTS) private readonly hosts: ReportedHosts,
    private readonly registries: RegistriesConfig,
  ) {}

  /** Records the changes since the last call. */
  async record(nowMs: number): Promise<void> {
    const now: Hosts = new Map();
    const events = await tasks.run(this.compare(await this.graphs.current(), now, nowMs));
    for (const some of chunks(events, EVENTS_PER_WRITE)) await this.db.write((tx) => recordEvents(tx, some));
    this.before = now;
  }

  /** Fills `now`. */
  private *compare(graph: ProviderGraph, now: Hosts, at: number): Task<readonly HostEvent[]> {
    const services = new Map(this.hosts.reportedServices());
    const names = new Map(this.hosts.hostAggregates().map(({ uuid, name }) => [uuid, name]));
    const events: HostEvent[] = [];
    const add = ({ uuid, name }: Provider, old: Facts, young: Facts): void => {
      for (const fact of new Set([...old.keys(), ...young.keys()])) {
        const [was = null, became = null] = [old.get(fact), young.get(fact)];
        if (was !== became) events.push({ at, provider_uuid: uuid, name, fact, was, became });
      }
    };
    yield* forEachInSteps(graph.rootIds, (id) => {
      const tree = graph.findTree(id);
      if (tree === undefined) return;
      const { uuid } = tree.root;
      const host = services.get(uuid);
      const state =
        host && (host.forcedDown ? 'forced down' : serviceStateOf(host, at, this.registries.serviceDownSeconds));
      const status = host?.disabled ? `disabled${host.disabledReason ? `: ${host.disabledReason}` : ''}` : 'enabled';
      const service = state && new Map(Object.entries({ state, status }));
      now.set(uuid, { tree, service });
      const before = this.before.get(uuid);
      if (before?.service && service) add(tree.root, before.service, service);
      if (before === undefined || before.tree === tree) return;
      const former = new Map(before.tree.providers.map((provider) => [provider.id, provider]));
      for (const provider of tree.providers) {
        const was = former.get(provider.id);
        if (was !== undefined && was !== provider) add(provider, factsOf(was, names), factsOf(provider, names));
      }
    });
    return events;
  }
}

/** Without usage. */
function factsOf({ traits, aggregates, inventories }: Provider, names: ReadonlyMap<string, string>): Facts {
  const facts = new Map<string, string>();
  for (const trait of traits) if (trait !== STATUS_TRAIT) facts.set(`trait ${trait}`, 'yes');
  for (const uuid of aggregates) facts.set(`aggregate ${names.get(uuid) ?? uuid}`, 'yes');
  for (const { resourceClass, total, reserved, allocationRatio } of inventories) {
    facts.set(`inventory ${resourceClass}`, `${total}, reserved ${reserved}, ratio ${allocationRatio}`);
  }
  return facts;
}
