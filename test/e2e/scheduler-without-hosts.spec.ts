// POST /scheduler/without_hosts on both databases. Law: as many instances find a place as do when they are then moved in
// the order of the answer.
import { seededRandom } from '../../src/platform/values/random';
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { Json } from './scheduler-cloud';
import { books, instance, select } from './scheduler-cloud';
import type { Operator } from './scheduler-operator';
import { operatorOf } from './scheduler-operator';

const GIB = 1_024;
const MEMORY_ONLY = { reserved_host_memory_mb: 0 };

describe.each(testDatabaseKinds())('without hosts on %s', (kind) => {
  let service: TestService;
  let operator: Operator;
  beforeAll(async () => {
    service = await startTestService(kind);
    operator = operatorOf(service);
  });
  afterAll(() => service.stop());
  afterEach(async () => {
    expect((await books(service)).faults).toEqual([]);
    await operator.clear();
  });

  const without = (...hosts: string[]): Promise<TestResponse> =>
    service.request({ method: 'POST', path: '/scheduler/without_hosts', body: { hosts } });
  const host = (name: string, gib: number): Promise<void> => operator.report(name, gib * GIB, MEMORY_ONLY);
  const place = async (number: number, gib: number, on: string, more: object = {}): Promise<void> => {
    const { status, text } = await select(service, {
      instances: [instance(number)],
      instance_names: { [instance(number)]: `vm-${number}` },
      flavor: { name: `g${gib}`, vcpus: 1, memory_mb: gib * GIB },
      force_hosts: [on],
      ...more,
    });
    if (status !== 200) throw new Error(text);
  };
  /** Moves the instances in the order of the answer; how many succeed. */
  const moved = async ({ json }: TestResponse, hosts: readonly string[]): Promise<number> => {
    let done = 0;
    for (const { uuid } of (json.groups as Json[]).flatMap(({ instances }) => instances as Json[])) {
      const { status } = await service.request({
        method: 'POST',
        path: `/scheduler/instances/${uuid}/move`,
        body: { type: 'live_migrate', ignore_hosts: hosts },
      });
      if (status === 200) done += 1;
    }
    return done;
  };

  it('lets each placement see the ones before it, whatever their projects, and says why the others find none', async () => {
    await host('a', 64);
    for (const number of [1, 2, 3, 4]) await place(number, 16, 'a', { project_id: `project-${number}` });
    await host('b', 16);
    const answer = await without('a');
    expect(answer.json).toMatchObject({ instances: 4, placed: 1 });
    const groups = answer.json.groups as Json[];
    expect(groups.map(({ placed }) => placed as number)).toEqual([1, 0, 0, 0]);
    expect(groups[0]).toMatchObject({
      request: { project_id: 'project-1', flavor: { name: 'g16' } },
      instances: [{ uuid: instance(1), name: 'vm-1', host: 'a' }],
      places: [{ host: 'b', instances: 1 }],
      reason: null,
    });
    expect(groups[1]?.reason).toBe('0 of 1 host fits: b lacks 16384 MEMORY_MB (0 free, 16384 asked).');
    expect(await moved(answer, ['a'])).toBe(1);
  });

  it('places the largest first, and equal instances together', async () => {
    await host('a', 64);
    await place(1, 4, 'a');
    await place(2, 4, 'a');
    await place(3, 16, 'a');
    await host('b', 20);
    const { json } = await without('a');
    expect(json).toMatchObject({
      instances: 3,
      placed: 2,
      groups: [
        { instances: [{ uuid: instance(3) }], placed: 1, reason: null },
        { instances: [{ uuid: instance(1) }, { uuid: instance(2) }], placed: 1, places: [{ host: 'b', instances: 1 }] },
      ],
    });
    expect(json.groups[1].reason).toContain('lacks 4096 MEMORY_MB');
  });

  it('names an instance that is being moved, and refuses unknown hosts', async () => {
    await host('a', 16);
    await host('b', 16);
    await place(1, 4, 'a');
    const path = `/scheduler/instances/${instance(1)}/move`;
    await operator.ok('POST', path, { type: 'live_migrate' });
    expect((await without('b')).json).toMatchObject({
      instances: 1,
      placed: 0,
      groups: [{ reason: 'The instance is being moved already: confirm or revert that first.' }],
    });
    expect(await without('a', 'nowhere')).toMatchObject({
      status: 400,
      json: { errors: [{ detail: "'hosts.1' is 'nowhere', which is not a host." }] },
    });
  });

  it.each([1, 2, 3])('agrees with the moves that follow it in random cloud %i', async (seed) => {
    const random = seededRandom(seed);
    const pick = (most: number): number => Math.floor(random() * most);
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const name of names) await host(name, 24 + 8 * pick(3));
    const groups = [await operator.group('anti-affinity'), await operator.group('affinity')];
    for (let number = 1; number <= 16; number += 1) {
      const group = groups[pick(4)];
      const body = {
        instances: [instance(number)],
        flavor: { name: 'f', vcpus: 1, memory_mb: GIB * (4 + 4 * pick(3)) },
        project_id: `project-${pick(2)}`,
        ...(group !== undefined && { instance_group: group }),
      };
      await select(service, body);
    }
    const going = names.slice(0, 2);
    const answer = await without(...going);
    expect(answer.status).toBe(200);
    expect(answer.json.instances).toBeGreaterThan(1);
    expect([seed, await moved(answer, going)]).toEqual([seed, answer.json.placed]);
  });
});
