// Law, in nova's place: the use of a host is that of nova's row, plus the placements that the row does not count yet. Each
// instance counts once, in any order of call, instance row, node row and deletion.
import type { Provider } from '../../placement/candidate-search';
import { seededRandom } from '../../platform/values/random';
import { reportedHostState } from '../../scheduling-rules/host-state/build-host-state';
import { HostDirectory } from '../../scheduling-rules/host-state/host-directory';
import type { ServiceFacts } from '../../scheduling-rules/host-state/host-facts';
import {
  node,
  NOW,
  pending,
  provider,
  reported,
  resource,
  service,
} from '../../scheduling-rules/host-state/host-state.fixture';
import type { ExternalHostFacts } from '../ports';
import { ExternalDirectory } from './external-directory';

const SIZE = { vcpusTotal: 64, memoryMb: 65_536, localGb: 1_000 };
const ONE = { vcpus: 2, memoryMb: 1_024, diskGb: 14 };
const OPTIONS = { nowMs: NOW, pendingTtlSeconds: 600, countsPlacements: true, comparesPlacement: false };

/** nova's rows of one host, and what Berth claimed there. Polls and the database are not part of the law. */
class Nova {
  readonly claimed = new Set<string>();
  readonly listed = new Set<string>();
  counted: ReadonlySet<string> = new Set();
  private version = 0;

  readonly source: ExternalHostFacts = {
    refresh: async () => {},
    servicesNow: async () => new Map(),
    changesSince: () => ({
      version: (this.version += 1),
      serviceIds: [],
      services: [this.facts()],
      heartbeats: [],
      aggregateIds: [],
      aggregates: [],
    }),
    isCounted: (_host, uuid) => this.listed.has(uuid) && this.counted.has(uuid),
  };

  /** A tree is a new object after each change of its usage. */
  tree(): readonly Provider[] {
    const used = this.claimed.size;
    return [
      provider('root', {
        VCPU: resource(64, used * ONE.vcpus),
        MEMORY_MB: resource(65_536, used * ONE.memoryMb),
        DISK_GB: resource(1_000, used * ONE.diskGb),
      }),
    ];
  }

  private facts(): ServiceFacts {
    const { size } = this.counted;
    const report = {
      ...SIZE,
      vcpusUsed: size * ONE.vcpus,
      freeRamMb: SIZE.memoryMb - size * ONE.memoryMb,
      freeDiskGb: SIZE.localGb - size * ONE.diskGb,
      localGbUsed: size * ONE.diskGb,
      stats: { num_instances: String(size) },
      instances: [...this.listed].map((uuid) => reported(uuid)),
    };
    return service({ hosts: [node(report)] });
  }
}

it('counts each instance of nova once, in any order', async () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const random = seededRandom(seed);
    const nova = new Nova();
    const directory = new HostDirectory();
    const placements = (): ReadonlyMap<string, unknown> =>
      new Map([['h', [...nova.claimed].map((uuid) => pending(uuid))]]);
    const db = { readSnapshot: async () => placements() } as never;
    const external = new ExternalDirectory(nova.source, directory, db, 600, false);
    const steps: string[] = [];
    for (let at = 0; at < 40; at += 1) {
      const uuid = `i${Math.floor(random() * 6)}`;
      const dice = random();
      // nova gives no uuid to a second instance.
      if (dice < 0.3 && !nova.listed.has(uuid) && !nova.counted.has(uuid)) nova.claimed.add(uuid);
      else if (dice < 0.6 && nova.claimed.has(uuid)) nova.listed.add(uuid);
      else if (dice < 0.8) nova.counted = new Set(nova.listed);
      else if (nova.listed.delete(uuid)) nova.claimed.delete(uuid);
      steps.push(`${uuid} ${dice.toFixed(2)}`);
      await external.refresh(false);
      const tree = nova.tree();
      await external.readPlacements(new Map([['root', tree]]), NOW);
      const entry = directory.find('root');
      if (entry === undefined) throw new Error('the host is not known');
      const state = reportedHostState({ ...entry, aggregates: [], tree }, OPTIONS);
      const use = new Set([...nova.claimed, ...nova.counted]).size;
      expect({
        seed,
        steps: steps.slice(-6),
        vcpus: state.vcpusUsed,
        free: state.freeRamMb,
        disk: state.freeDiskMb / 1024,
        count: state.numInstances,
      }).toEqual({
        seed,
        steps: steps.slice(-6),
        vcpus: use * ONE.vcpus,
        free: SIZE.memoryMb - use * ONE.memoryMb,
        disk: SIZE.localGb - use * ONE.diskGb,
        count: use,
      });
      expect([...state.instances.keys()].sort()).toEqual([...new Set([...nova.claimed, ...nova.listed])].sort());
    }
  }
});
