// Two services on one database schedule at the same time: the last slots are claimed once, group policies hold under
// any interleaving, batches are atomic, and refusals give the reason. Runs for a few seconds, with a minimum of rounds.
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { Json } from './scheduler-cloud';
import { allocationsOf, books, instance, select } from './scheduler-cloud';
import type { Operator } from './scheduler-operator';
import { decisionOf, operatorOf } from './scheduler-operator';

const LEAST_ROUNDS = 5;
const ROUNDS_MS = 1_500 * Number(process.env['BERTH_ROUNDS'] ?? 1);
/** The possible codes of a loser: rejected by the filters, by Placement, or by the claim. */
const LOSERS_CODES = ['scheduler.no_valid_host', 'scheduler.no_candidates', 'scheduler.claims_lost'];
const HOSTS = ['alpha', 'beta', 'gamma', 'delta'];
/** Two of these fit on every host. */
const HALF = { flavor: { name: 'half', vcpus: 1, memory_mb: 1_024 } };

describe.each(testDatabaseKinds())('two services on %s', (kind) => {
  let services: readonly TestService[];
  let operator: Operator;
  let next = 1;
  beforeAll(async () => {
    const first = await startTestService(kind);
    services = [first, await startTestService(kind, { sameDatabaseAs: first })];
    operator = operatorOf(first);
    for (const host of HOSTS) await operator.report(host, 2_048);
  });
  afterAll(async () => {
    for (const service of [...services].reverse()) await service.stop();
  });

  const [A, B] = [0, 1];
  const on = (at: number): TestService => services[at % services.length] as TestService;
  const fresh = (count = 1): string[] => Array.from({ length: count }, () => instance((next += 1)));
  /** Sends several requests at once, alternating between the services. */
  const race = (bodies: readonly object[]): Promise<readonly TestResponse[]> =>
    Promise.all(bodies.map((body, at) => select(on(at), { ...HALF, ...body })));

  /** Runs rounds until the time is over; the other service releases what a round placed. */
  async function rounds(round: (at: number) => Promise<void>): Promise<void> {
    const end = Date.now() + ROUNDS_MS;
    for (let at = 0; at < LEAST_ROUNDS || Date.now() < end; at += 1) {
      await round(at);
      expect(await books(on(at))).toMatchObject({ faults: [] });
      for (const uuid of await operator.instances()) {
        await on(at + 1).request({ method: 'DELETE', path: `/scheduler/instances/${uuid}` });
      }
      expect(await books(on(at))).toEqual({ consumers: 0, faults: [] });
    }
  }

  const placedOn = (answers: readonly TestResponse[]): string[] =>
    answers.flatMap(({ status, json }) =>
      status === 200 ? (json.selections as Json[]).flatMap(({ selected }) => (selected?.host ?? []) as string) : [],
    );
  const losersAreRefused = (answers: readonly TestResponse[]): void => {
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      const [{ code, status }] = answer.json.errors;
      expect(status).toBe(409);
      expect(LOSERS_CODES).toContain(code);
      expect(decisionOf(answer)).toMatchObject({ outcome: 'no_valid_host', code });
      expect(decisionOf(answer).summary.sentence).toMatch(/\bfits?\b|could be claimed|room for/);
    }
  };
  const mostOnOne = (hosts: readonly string[]): number =>
    Math.max(0, ...HOSTS.map((host) => hosts.filter((each) => each === host).length));
  /** The answers must match the registry. */
  const groupIs = async (group: string, answers: readonly TestResponse[]): Promise<void> => {
    const found = await operator.groupOf(group);
    const members = answers.flatMap(({ status, json }) =>
      status === 200
        ? (json.selections as Json[]).flatMap((one) => (one.selected === null ? [] : one.instance_uuid))
        : [],
    );
    expect([...found.members].sort()).toEqual((members as string[]).sort());
    expect([...found.hosts].sort()).toEqual([...new Set(placedOn(answers))].sort());
  };

  it('claim the last slots once, and all of them', async () => {
    await rounds(async () => {
      const answers = await race(Array.from({ length: 12 }, () => ({ instances: fresh() })));
      const hosts = placedOn(answers);
      expect(hosts).toHaveLength(8);
      expect(mostOnOne(hosts)).toBe(2);
      losersAreRefused(answers);
    });
  });

  it('place one member of an anti-affinity group per host, on all hosts', async () => {
    await rounds(async () => {
      const group = await operator.group('anti-affinity');
      const answers = await race(Array.from({ length: 8 }, () => ({ instances: fresh(), instance_group: group })));
      const hosts = placedOn(answers);
      expect(mostOnOne(hosts)).toBe(1);
      expect(hosts).toHaveLength(4);
      losersAreRefused(answers);
      await groupIs(group, answers);
    });
  });

  it('enforce max_server_per_host', async () => {
    for (const host of HOSTS) await operator.report(host, 8_192);
    await rounds(async () => {
      const group = await operator.group('anti-affinity', { max_server_per_host: 2 });
      const answers = await race(Array.from({ length: 10 }, () => ({ instances: fresh(), instance_group: group })));
      const hosts = placedOn(answers);
      expect(mostOnOne(hosts)).toBe(2);
      expect(hosts).toHaveLength(8);
      losersAreRefused(answers);
    });
    for (const host of HOSTS) await operator.report(host, 2_048);
  });

  it.each([
    ['of a server group', 8_192],
    ['on the hosts', 2_048],
  ])('refuse only what finds no place %s after all others are done', async (_of, memoryMb) => {
    const hosts = [...HOSTS, 'epsilon', 'zeta'];
    for (const host of hosts) await operator.report(host, memoryMb);
    await rounds(async () => {
      const group = memoryMb > 2_048 ? await operator.group('anti-affinity', { max_server_per_host: 2 }) : null;
      const wanted = [2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1];
      const answers = await race(wanted.map((count) => ({ instances: fresh(count), instance_group: group })));
      losersAreRefused(answers);
      const left = 2 * hosts.length - placedOn(answers).length;
      for (const [at, { status }] of answers.entries()) if (status !== 200) expect(wanted[at]).toBeGreaterThan(left);
      if (group !== null) await groupIs(group, answers);
    });
    for (const host of hosts) await operator.report(host, HOSTS.includes(host) ? 2_048 : 512);
  });

  it('keep together an affinity group that had no host when all requests started', async () => {
    await rounds(async () => {
      const group = await operator.group('affinity');
      const answers = await race(Array.from({ length: 6 }, () => ({ instances: fresh(), instance_group: group })));
      const hosts = placedOn(answers);
      expect(new Set(hosts).size).toBe(1);
      expect(hosts).toHaveLength(2);
      losersAreRefused(answers);
      await groupIs(group, answers);
    });
  });

  it('place batches as a whole or not at all, including their policy', async () => {
    await rounds(async () => {
      const group = await operator.group('anti-affinity');
      const batches = [3, 2, 3, 2].map((count) => fresh(count));
      const answers = await race(batches.map((instances) => ({ instances, instance_group: group })));
      expect(mostOnOne(placedOn(answers))).toBeLessThanOrEqual(1);
      losersAreRefused(answers);
      for (const [at, { status }] of answers.entries()) {
        const taken = await Promise.all((batches[at] ?? []).map((uuid) => allocationsOf(on(at), uuid)));
        const claimed = taken.filter((allocations) => Object.keys(allocations).length > 0);
        expect(claimed).toHaveLength(status === 200 ? (batches[at]?.length ?? 0) : 0);
      }
      await groupIs(group, answers);
    });
  });

  it('place what fits of batches with min_count, and count correctly', async () => {
    await rounds(async () => {
      const group = await operator.group('anti-affinity');
      const bodies = [3, 3, 3].map((count) => ({ instances: fresh(count), min_count: 1, instance_group: group }));
      const answers = await race(bodies);
      const hosts = placedOn(answers);
      expect(mostOnOne(hosts)).toBe(1);
      expect(hosts).toHaveLength(4);
      losersAreRefused(answers);
      await groupIs(group, answers);
    });
  });

  it('keep group members correct while members leave and join', async () => {
    await rounds(async (at) => {
      const group = await operator.group('anti-affinity');
      const first = fresh(HOSTS.length);
      const before = await select(on(at), { ...HALF, instances: first, instance_group: group });
      expect(mostOnOne(placedOn([before]))).toBe(1);
      const leave = first
        .slice(0, 2)
        .map((uuid, which) => on(at + which).request({ method: 'DELETE', path: `/scheduler/instances/${uuid}` }));
      const join = race(Array.from({ length: 4 }, () => ({ instances: fresh(), instance_group: group })));
      const left = await Promise.all(leave);
      const joined = await join;
      expect(left.map(({ status }) => status)).toEqual([204, 204]);
      losersAreRefused(joined);
      const there = (await operator.ok('GET', `/scheduler/instances?server_group=${group}`)).json.instances as Json[];
      const { members, hosts } = await operator.groupOf(group);
      expect(there.map(({ uuid }) => uuid as string).sort()).toEqual([...members].sort());
      expect(mostOnOne(there.map(({ host }) => host as string))).toBe(1);
      expect([...new Set(there.map(({ host }) => host as string))].sort()).toEqual([...hosts].sort());
      expect(there).toHaveLength(2 + placedOn(joined).length);
      // The remaining capacity can still be claimed.
      const rest = HOSTS.length - there.length;
      const bodies = Array.from({ length: rest + 1 }, () => ({ instances: fresh(), instance_group: group }));
      expect(placedOn(await race(bodies))).toHaveLength(rest);
    });
  });

  it('see in the next request what the other one placed, disabled and released', async () => {
    const group = await operator.group('anti-affinity');
    const [one, other] = [fresh(), fresh()];
    const placed = await select(on(A), { instances: one, instance_group: group, ...HALF });
    const [host] = placedOn([placed]);
    const second = await select(on(B), { instances: other, instance_group: group, ...HALF });
    expect(placedOn([second])).not.toContain(host);
    for (const each of HOSTS.filter((name) => name !== host)) {
      await on(B).request({ method: 'PATCH', path: `/scheduler/services/${each}`, body: { status: 'disabled' } });
    }
    expect(placedOn([await select(on(A), HALF)])).toEqual([host]);
    const full = await select(on(B), { instance_group: group, ...HALF });
    expect(full.json.errors[0].code).toBe('scheduler.no_candidates');
    await on(B).request({ method: 'DELETE', path: `/scheduler/instances/${one[0]}` });
    expect(placedOn([await select(on(A), { instance_group: group, ...HALF })])).toEqual([host]);
  });
});
