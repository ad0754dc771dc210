// Random changes of a small cloud for the law of the request classes: reports, claims, releases, services, traits, host
// aggregates, inventories and time.
import type { TestResponse, TestService } from '../support/service';
import { instance, select } from './scheduler-cloud';
import type { Operator } from './scheduler-operator';
import { operatorOf } from './scheduler-operator';

/** More than the best hosts that a decision keeps. */
export const HOSTS = Array.from({ length: 130 }, (_, at) => `h${String(at).padStart(3, '0')}`);
/** Of the configuration. */
export const PCI_ALIAS = JSON.stringify({ name: 'gpu', vendor_id: '10de', product_id: '1eb8' });

const CLASSES: readonly object[] = [
  { flavor: { name: 'a', vcpus: 1, memory_mb: 512, root_gb: 1 } },
  { flavor: { name: 'b', vcpus: 2, memory_mb: 4_096, root_gb: 5, extra_specs: { 'trait:CUSTOM_FAST': 'required' } } },
  { flavor: { name: 'c', vcpus: 1, memory_mb: 256, extra_specs: { 'aggregate_instance_extra_specs:ssd': 'true' } } },
  { flavor: { name: 'd', vcpus: 4, memory_mb: 1_024, extra_specs: { 'hw:numa_nodes': '1' } } },
  { flavor: { name: 'e', vcpus: 1, memory_mb: 1_024 }, availability_zone: 'west' },
  { flavor: { name: 'f', vcpus: 1, memory_mb: 1_024 }, ignore_hosts: ['H001', 'h002'] },
  { flavor: { name: 'g', vcpus: 1, memory_mb: 512, extra_specs: { 'pci_passthrough:alias': 'gpu:1' } } },
  {
    flavor: {
      name: 'h',
      vcpus: 1,
      memory_mb: 512,
      extra_specs: {
        'pci_passthrough:alias': 'gpu:2',
        'hw:numa_nodes': '1',
        'hw:pci_numa_affinity_policy': 'required',
      },
    },
  },
  { flavor: { name: 'i', vcpus: 1, memory_mb: 512 }, scheduler_hints: { rack: ['h1'] } },
];

/** Milliseconds by which the clock is ahead, and the frozen time of a comparison. */
export class Clock {
  laterMs = 0;
  frozenMs: number | null = null;
  private readonly now = Date.now.bind(Date);

  read(): number {
    return this.frozenMs ?? this.now() + this.laterMs;
  }
}

type Random = () => number;
type Step = (random: Random, host: string) => Promise<string>;

export class ChangingCloud {
  readonly steps: string[] = [];
  private readonly placed: string[] = [];
  private readonly groups: string[] = [];
  private readonly reports = new Map<string, object>();
  private operator: Operator;

  /** By the share of the steps up to them. */
  private readonly choices: readonly (readonly [number, Step])[] = [
    [0.2, (random, host) => this.report(host, random)],
    [0.28, (random) => this.sameReports(random)],
    [0.5, (random) => this.claim(random)],
    [0.6, (random) => this.release(random)],
    [0.68, (random, host) => this.switchService(random, host)],
    [0.76, (random, host) => this.traits(random, host)],
    [0.84, (random) => this.aggregate(random)],
    [0.94, (random) => this.time(random)],
    [1, (random, host) => this.inventory(random, host)],
  ];

  /** Changes come through either service. */
  constructor(
    private readonly services: () => readonly [TestService, TestService],
    private readonly clock: Clock,
  ) {
    this.operator = operatorOf(services()[0]);
  }

  /** Requests of every class, of server groups, and of one that avoids the host of an instance. */
  get requests(): readonly object[] {
    const flavor = { name: 'z', vcpus: 1, memory_mb: 256 };
    return [
      ...CLASSES,
      ...this.groups.map((uuid) => ({ flavor, instance_group: uuid })),
      { flavor, scheduler_hints: { different_host: this.placed.slice(0, 1) } },
    ];
  }

  async fill(random: Random): Promise<void> {
    await this.operator.ok('PUT', '/traits/CUSTOM_FAST');
    for (const host of HOSTS) await this.report(host, random);
    for (const host of HOSTS.filter(() => random() < 0.2)) await this.operator.setTraits(host, ['CUSTOM_FAST']);
    const some = (): string[] => HOSTS.filter(() => random() < 0.3);
    await this.operator.aggregate('ssd', some(), { ssd: 'true' });
    await this.operator.aggregate('west', some(), { availability_zone: 'west' });
    await this.operator.aggregate('heavy', some(), { ram_weight_multiplier: '-2' });
    for (const policy of ['anti-affinity', 'affinity', 'soft-anti-affinity'])
      this.groups.push(await this.operator.group(policy));
  }

  async step(random: Random): Promise<void> {
    const [own, other] = this.services();
    this.operator = operatorOf(random() < 0.5 ? own : other);
    const host = HOSTS[Math.floor(random() * HOSTS.length)] as string;
    const dice = random();
    const [, step] = this.choices.find(([below]) => dice < below) ?? never();
    this.steps.push(await step(random, host));
  }

  clear(): Promise<void> {
    return operatorOf(this.services()[0]).clear();
  }

  private async report(host: string, random: Random): Promise<string> {
    const gpus = (numaNode: number | null): object => ({
      vendor_id: '10de',
      product_id: '1eb8',
      dev_type: 'type-PCI',
      numa_node: numaNode,
      count: Math.floor(random() * 4),
    });
    const more = {
      memory_mb: 2_048 * (1 + Math.floor(random() * 8)),
      free_ram_mb: 1_024 * (1 + Math.floor(random() * 4)),
      stats: { failed_builds: String(random() < 0.1 ? 1 : 0), num_instances: String(Math.floor(random() * 3)) },
      metrics: random() < 0.5 ? [{ name: 'load', value: Math.floor(random() * 3) }] : [],
      ...(random() < 0.5 && {
        numa_topology: { cells: [{ id: 0, cpuset: [0, 1, 2, 3], pcpuset: [], memory: 8_192, mempages: [] }] },
      }),
      ...(random() < 0.5 && { pci_device_pools: random() < 0.5 ? [gpus(0)] : [gpus(null), gpus(1)] }),
    };
    this.reports.set(host, more);
    await this.operator.report(host, 2_048, more);
    return `report ${host}`;
  }

  /** Nothing but the time of the reports changes. */
  private async sameReports(random: Random): Promise<string> {
    const some = HOSTS.filter(() => random() < 0.5);
    for (const host of some) await this.operator.report(host, 2_048, this.reports.get(host));
    return 'same reports';
  }

  private async claim(random: Random): Promise<string> {
    const { requests } = this;
    const instances = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
      instance(1 + this.placed.length + Math.floor(random() * 1e6)),
    );
    const request = requests[Math.floor(random() * requests.length)];
    const { status } = await select(this.services()[random() < 0.5 ? 0 : 1], { instances, ...request });
    if (status === 200) this.placed.push(...instances);
    return `claim ${instances.length} of ${JSON.stringify(request)}: ${status}`;
  }

  private async release(random: Random): Promise<string> {
    const [uuid] = this.placed.splice(Math.floor(random() * this.placed.length), 1);
    if (uuid !== undefined) await this.operator.release(uuid);
    return 'release';
  }

  private async switchService(random: Random, host: string): Promise<string> {
    const disabled = { status: 'disabled', disabled_reason: 'law' };
    await this.operator.ok('PATCH', `/scheduler/services/${host}`, random() < 0.5 ? disabled : { status: 'enabled' });
    return `switch ${host}`;
  }

  private async traits(random: Random, host: string): Promise<string> {
    const others = (await this.operator.traitsOf(host)).filter((name) => name !== 'CUSTOM_FAST');
    await this.operator.setTraits(host, random() < 0.6 ? [...others, 'CUSTOM_FAST'] : others);
    return `traits ${host}`;
  }

  private async aggregate(random: Random): Promise<string> {
    const name = `agg${Math.floor(random() * 1e9)}`;
    const metadata =
      random() < 0.5
        ? { ssd: 'true' }
        : random() < 0.5
          ? { availability_zone: 'west' }
          : { ram_weight_multiplier: '-2' };
    const hosts = HOSTS.filter(() => random() < 0.05);
    const { status } = await this.send('POST', '/scheduler/host_aggregates', { name, hosts, metadata });
    return `aggregate ${name}: ${status}`;
  }

  private time(random: Random): Promise<string> {
    this.clock.laterMs += random() < 0.3 ? 61_000 : 10_000;
    return Promise.resolve(`time ${this.clock.laterMs}`);
  }

  private async inventory(random: Random, host: string): Promise<string> {
    const [root] = (await this.operator.ok('GET', `/resource_providers?name=${host}`)).json.resource_providers;
    const body = { resource_provider_generation: root.generation, total: 4 + Math.floor(random() * 64) };
    const { status } = await this.send('PUT', `/resource_providers/${root.uuid}/inventories/VCPU`, body);
    return `inventory ${host}: ${status}`;
  }

  /** A refusal is an outcome, too. */
  private send(method: 'POST' | 'PUT', path: string, body: object): Promise<TestResponse> {
    return this.services()[0].request({ method, path, body });
  }
}

function never(): never {
  throw new Error('a random number is below 1');
}
