// An operator's actions over REST for the scheduler suites: host reports, traits of providers, aggregates, groups,
// flavors, images and services; and accessors for decisions.
import type { TestRequest, TestResponse, TestService } from '../support/service';
import type { Json } from './scheduler-cloud';
import { clear, clearAllocations } from './scheduler-cloud';

type Method = NonNullable<TestRequest['method']>;

export interface Operator {
  /** The answer, which must be a success. */
  ok(method: Method, path: string, body?: object): Promise<TestResponse>;
  /**
   * Reports a host of one node with its root provider: 16 CPUs (64 VCPU) and this memory, unless `more` overrides them.
   */
  report(host: string, memoryMb: number, more?: object): Promise<void>;
  /** Sets exactly these traits on the root provider; returns its uuid. */
  setTraits(host: string, traits: readonly string[]): Promise<string>;
  traitsOf(host: string): Promise<readonly string[]>;
  /** Creates a host aggregate; returns its uuid. */
  aggregate(name: string, hosts: readonly string[], metadata?: Readonly<Record<string, string>>): Promise<string>;
  /** Creates a server group; returns its uuid. */
  group(policy: string, rules?: object): Promise<string>;
  /** Members and hosts of a server group. */
  groupOf(uuid: string): Promise<{ readonly members: readonly string[]; readonly hosts: readonly string[] }>;
  image(name: string, document: object): Promise<void>;
  flavor(name: string, document: object): Promise<void>;
  /** Uuids of the instances that Berth placed. */
  instances(): Promise<readonly string[]>;
  release(instance: string): Promise<void>;
  /** Deletes all instances, registry documents and Placement data. */
  clear(): Promise<void>;
}

export function operatorOf(service: TestService): Operator {
  let made = 0;
  const ok: Operator['ok'] = async (method, path, body) => {
    const answer = await service.request({ method, path, ...(body !== undefined && { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const rootOf = async (host: string): Promise<{ uuid: string; generation: number }> =>
    (await ok('GET', `/resource_providers?name=${host}`)).json.resource_providers[0] as never;
  const remove = async (plural: string, key: string, before?: (document: Json) => Promise<void>): Promise<void> => {
    for (const document of (await ok('GET', `/scheduler/${plural}`)).json[plural] as Json[]) {
      await before?.(document);
      await ok('DELETE', `/scheduler/${plural}/${document[key]}`);
    }
  };
  return {
    ok,
    report: async (host, memoryMb, more = {}) => {
      await ok('PUT', `/scheduler/hosts/${host}/${host}`, {
        vcpus_total: 16,
        vcpus_used: 0,
        memory_mb: memoryMb,
        free_ram_mb: memoryMb,
        local_gb: 1_000,
        report_providers: true,
        ...more,
      });
    },
    setTraits: async (host, traits) => {
      for (const name of traits) if (name.startsWith('CUSTOM_')) await ok('PUT', `/traits/${name}`);
      const { uuid, generation } = await rootOf(host);
      await ok('PUT', `/resource_providers/${uuid}/traits`, { traits, resource_provider_generation: generation });
      return uuid;
    },
    traitsOf: async (host) =>
      (await ok('GET', `/resource_providers/${(await rootOf(host)).uuid}/traits`)).json.traits as string[],
    aggregate: async (name, hosts, metadata = {}) =>
      (await ok('POST', '/scheduler/host_aggregates', { name, hosts, metadata })).json.uuid as string,
    group: async (policy, rules = {}) => {
      made += 1;
      return (await ok('POST', '/scheduler/server_groups', { name: `group-${made}`, policy, rules })).json
        .uuid as string;
    },
    groupOf: async (uuid) => (await ok('GET', `/scheduler/server_groups/${uuid}`)).json as never,
    image: async (name, document) => {
      await ok('POST', '/scheduler/images', { name, ...document });
    },
    flavor: async (name, document) => {
      await ok('POST', '/scheduler/flavors', { name, vcpus: 1, memory_mb: 512, root_gb: 1, ...document });
    },
    instances: async () =>
      ((await ok('GET', '/scheduler/instances')).json.instances as Json[]).map(({ uuid }) => uuid as string),
    release: async (instance) => {
      await ok('DELETE', `/scheduler/instances/${instance}`);
    },
    clear: async () => {
      await remove('instances', 'uuid');
      await remove('server_groups', 'uuid');
      await remove('host_aggregates', 'uuid', async ({ uuid, hosts }) => {
        for (const host of hosts as string[]) await ok('DELETE', `/scheduler/host_aggregates/${uuid}/hosts/${host}`);
      });
      // A host with allocations is not removed.
      await clearAllocations(service);
      await remove('services', 'host');
      await remove('flavors', 'id');
      await remove('images', 'uuid');
      await clear(service);
    },
  };
}

/** The decision of an answer, placed or refused. */
export const decisionOf = ({ json }: TestResponse): Json => json.decision ?? json.errors[0].decision;

/** The ranking for the first instance, best first. */
export const rankedOf = (answer: TestResponse): string[] =>
  ((decisionOf(answer).passes[0]?.ranking ?? []) as Json[]).map(({ host }) => host as string);

/** The result of one prefilter. */
export const prefilterOf = (answer: TestResponse, name: string): Json =>
  decisionOf(answer).prefilters.find((record: Json) => record.name === name);

/** The result of one stage of the last complete pass; undefined if it did not run. */
export const stageOf = (answer: TestResponse, name: string): Json =>
  decisionOf(answer)
    .passes.filter(({ phase }: Json) => phase === 'select')
    .at(-1)
    ?.stages.find((stage: Json) => stage.name === name);

/** The reason of each host that the stage, or Placement, rejected. */
export function reasonsOf(answer: TestResponse, stage: 'placement' | (string & {})): Readonly<Record<string, string>> {
  const rejections =
    stage === 'placement' ? decisionOf(answer).placement.rejections : stageOf(answer, stage).rejections;
  return Object.fromEntries((rejections.hosts as Json[]).map(({ host, message }) => [host, message]));
}
