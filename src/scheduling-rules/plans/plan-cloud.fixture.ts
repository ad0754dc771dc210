// A small cloud with toy rules for the tests of the planner: amounts, traits, zones, server groups. The best host has the
// most free parts.
import type { PlanCloud, PlanHost, PlanInstance, PlanTargets } from './plan-cloud';

interface ModelHost {
  readonly name: string;
  readonly capacity: Readonly<Record<string, number>>;
  readonly zone?: string;
  readonly traits?: readonly string[];
  readonly closed?: string;
}

export interface ModelRequest {
  readonly amounts: Readonly<Record<string, number>>;
  readonly traits?: readonly string[];
  readonly zone?: string;
}

export interface ModelInstance extends ModelRequest {
  readonly name: string;
  readonly host: string;
  /** A name in `groups`. */
  readonly group?: string;
  readonly fixed?: string;
}

export interface Model {
  readonly hosts: readonly ModelHost[];
  readonly instances: readonly ModelInstance[];
  /** Policies by name. */
  readonly groups?: Readonly<Record<string, 'affinity' | 'anti-affinity'>>;
}

interface ModelCloud extends PlanCloud {
  /** Questions so far. */
  readonly questions: { targets: number; fits: number; claims: number };
}

export const classesOf = ({ hosts }: Model): readonly string[] => [
  ...new Set(hosts.flatMap(({ capacity }) => Object.keys(capacity))),
];

export function modelCloud(model: Model): ModelCloud {
  const resources = classesOf(model);
  const numbers = new Map(model.hosts.map(({ name }, host) => [name, host]));
  const requests: ModelRequest[] = [...model.instances];
  const groupOf: (string | undefined)[] = model.instances.map(({ group }) => group);
  const members = new Map<string, number[]>();
  groupOf.forEach((group, instance) => {
    if (group !== undefined) members.set(group, [...(members.get(group) ?? []), instance]);
  });
  const instances: PlanInstance[] = model.instances.map((each) => presented(model, each));
  const running = model.instances.map(({ host }): number | null => numbers.get(host) ?? null);
  const claimed: (number | null)[] = running.map(() => null);
  const on: number[][] = model.hosts.map(() => []);
  running.forEach((host, instance) => host !== null && on[host]?.push(instance));
  const isClosed = model.hosts.map(({ closed }) => closed !== undefined);
  const capacity = new Float64Array(model.hosts.length * resources.length);
  const used = new Float64Array(capacity.length);
  model.hosts.forEach((host, at) =>
    resources.forEach((resource, column) => (capacity[at * resources.length + column] = host.capacity[resource] ?? 0)),
  );
  running.forEach((host, instance) => host !== null && use(instance, host, 1));
  const undone: (() => void)[] = [];
  const questions = { targets: 0, fits: 0, claims: 0 };

  function use(instance: number, host: number, sign: 1 | -1): void {
    const { amounts } = requests[instance] as ModelRequest;
    resources.forEach((resource, column) => {
      (used[host * resources.length + column] as number) += sign * (amounts[resource] ?? 0);
    });
  }

  const holds = (instance: number, host: number): boolean => running[instance] === host || claimed[instance] === host;

  function fitsNow(instance: number, host: number): boolean {
    const request = requests[instance] as ModelRequest;
    const { zone, traits = [] } = model.hosts[host] as ModelHost;
    if (isClosed[host] === true || holds(instance, host) || claimed[instance] !== null) return false;
    if (request.zone !== undefined && request.zone !== zone) return false;
    if (!(request.traits ?? []).every((trait) => traits.includes(trait))) return false;
    const hasRoom = resources.every((resource, column) => {
      const at = host * resources.length + column;
      const amount = request.amounts[resource] ?? 0;
      return amount === 0 || (used[at] as number) + amount <= (capacity[at] as number);
    });
    if (!hasRoom) return false;
    const group = groupOf[instance];
    if (group === undefined) return true;
    const others = (members.get(group) ?? []).filter((other) => other !== instance);
    return model.groups?.[group] === 'affinity'
      ? others.every((other) => holds(other, host))
      : !others.some((other) => holds(other, host));
  }

  const freeParts = (host: number): number => {
    let sum = 0;
    for (let at = host * resources.length; at < (host + 1) * resources.length; at += 1) {
      if ((capacity[at] as number) > 0) sum += 1 - (used[at] as number) / (capacity[at] as number);
    }
    return sum;
  };

  function release(instance: number): void {
    const source = running[instance] ?? null;
    const target = claimed[instance] as number;
    if (source !== null) {
      use(instance, source, -1);
      on[source]?.splice(on[source].indexOf(instance), 1);
    }
    on[target]?.push(instance);
    running[instance] = target;
    claimed[instance] = null;
    undone.push(() => {
      on[target]?.splice(on[target].indexOf(instance), 1);
      if (source !== null) {
        use(instance, source, 1);
        on[source]?.push(instance);
      }
      running[instance] = source;
      claimed[instance] = target;
    });
  }

  return {
    hosts: model.hosts.map(({ name, zone = null, closed = null }): PlanHost => ({
      uuid: name,
      host: name,
      node: name,
      zone,
      closed,
    })),
    instances,
    resources,
    capacity,
    used,
    questions,
    hostOf: (instance) => running[instance] ?? null,
    instancesOn: (host) => on[host] ?? [],
    close(host) {
      const before = isClosed[host] as boolean;
      isClosed[host] = true;
      undone.push(() => (isClosed[host] = before));
    },
    add(flavor, count) {
      const request = flavor as ModelRequest;
      return Array.from({ length: count }, () => {
        requests.push(request);
        running.push(null);
        claimed.push(null);
        undone.push(() => {
          for (const list of [requests, running, claimed, instances]) list.pop();
        });
        return instances.push(presented(model, { name: `new-${instances.length}`, host: '', ...request })) - 1;
      });
    },
    targets(instance): Promise<PlanTargets> {
      questions.targets += 1;
      const hosts = model.hosts
        .map((_, host) => host)
        .filter((host) => fitsNow(instance, host))
        .map((host) => ({ host, free: freeParts(host) }))
        .toSorted((one, other) => other.free - one.free || one.host - other.host)
        .map(({ host }) => host);
      const refusal = hosts.length > 0 ? null : { sentence: 'No host fits.', remedy: null };
      return Promise.resolve({ hosts, refusal });
    },
    fits(instance, host) {
      questions.fits += 1;
      return Promise.resolve(fitsNow(instance, host));
    },
    claim(instance, host) {
      questions.claims += 1;
      if (!fitsNow(instance, host)) return Promise.resolve(false);
      use(instance, host, 1);
      claimed[instance] = host;
      undone.push(() => {
        use(instance, host, -1);
        claimed[instance] = null;
      });
      if (running[instance] === null) release(instance);
      return Promise.resolve(true);
    },
    release,
    mark: () => undone.length,
    rollback(mark) {
      for (const undo of undone.splice(mark).toReversed()) undo();
    },
  };
}

function presented(model: Model, instance: ModelInstance): PlanInstance {
  const { name, amounts, traits = [], zone = null, group = null, fixed = null } = instance;
  return {
    uuid: name,
    name,
    projectId: 'p',
    requestKey: JSON.stringify([amounts, traits, zone]),
    groupUuid: group,
    groupName: group,
    groupPolicy: group === null ? null : (model.groups?.[group] ?? null),
    groupMost: group !== null && model.groups?.[group] === 'anti-affinity' ? 1 : null,
    amounts,
    hasRequest: true,
    fixed,
  };
}
