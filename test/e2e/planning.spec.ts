import { seededRandom, shuffled } from '../../src/platform/values/random';
// Plans of the real planner on both databases. Law: the moves of a plan, started stage by stage in any order, are all
// accepted, and then the drained hosts run nothing but what the plan calls unmovable.
import type { PlanCommand, PlannedDocument } from '../../src/scheduler/plans/planning';
import { PlanningService } from '../../src/scheduler/plans/planning.service';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { instance, OWNER, select } from './scheduler-cloud';
import type { Operator } from './scheduler-operator';
import { operatorOf } from './scheduler-operator';

const CALLER = { requestId: 'req-plan', globalRequestId: null, principal: undefined, isGone: false };
const DRAIN: PlanCommand = {
  goal: 'drain',
  hosts: [],
  atATime: 1,
  flavor: null,
  count: null,
  classes: [],
  over: 'hosts',
  stay: { instances: [], hosts: [], projects: [] },
  maxMoves: null,
  maxMovesPerHost: 2,
  minGain: 0,
  seed: 1,
  timeLimitMs: 20_000,
};
const HOSTS = ['h0', 'h1', 'h2', 'h3', 'h4'];

describe.each(testDatabaseKinds())('planning, on %s', (kind) => {
  let service: TestService;
  let operator: Operator;
  beforeAll(async () => {
    service = await startTestService(kind);
    operator = operatorOf(service);
  });
  afterAll(() => service.stop());
  afterEach(() => operator.clear());

  const plan = (command: Partial<PlanCommand>): Promise<PlannedDocument> =>
    service.app.get(PlanningService, { strict: false }).plan({ ...DRAIN, ...command }, CALLER);
  const place = async (number: number, body: object): Promise<void> => {
    const { status, text } = await select(service, { instances: [instance(number)], ...body });
    if (status !== 200) throw new Error(text);
  };
  const post = (uuid: string, what: string, body?: object): Promise<unknown> =>
    operator.ok('POST', `/scheduler/instances/${uuid}/${what}`, body);
  const uuidsOn = async (host: string): Promise<readonly string[]> =>
    ((await operator.ok('GET', `/scheduler/instances?host=${host}`)).json.instances as { uuid: string }[])
      .map(({ uuid }) => uuid)
      .sort();

  it.each([1, 2, 3])('drains hosts by moves that the service accepts (seed %i)', async (seed) => {
    const random = seededRandom(seed);
    const ofHost = (): object => ({ vcpus_total: 4, memory_mb: 8_192 });
    for (const host of HOSTS) await operator.report(host, 8_192, ofHost());
    const group = await operator.group('anti-affinity');
    for (let number = 1; number <= 14; number += 1) {
      const flavor = { name: 'm', vcpus: 1, memory_mb: 512 * (1 + Math.floor(random() * 3)) };
      const isMember = number <= 4;
      await place(number, { flavor, ...(isMember && { scheduler_hints: { group } }) });
    }
    const { moves, unmovable, isReached } = await plan({ hosts: ['h0', 'h1'], seed });
    expect(isReached).toBe(unmovable.length === 0);
    expect(moves.length).toBeGreaterThan(0);
    for (const stage of new Set(moves.map((move) => move.stage))) {
      const together = shuffled(
        moves.filter((move) => move.stage === stage),
        random,
      );
      for (const {
        instance: { uuid },
        target,
      } of together)
        await post(uuid, 'move', { type: 'live_migrate', target });
      for (const {
        instance: { uuid },
      } of together)
        await post(uuid, 'confirm_move');
    }
    const left = unmovable.map(({ instance: { uuid } }) => uuid).sort();
    expect([...(await uuidsOn('h0')), ...(await uuidsOn('h1'))].sort()).toEqual(left);
  });

  it('says what it could not judge, and leaves alone what must stay', async () => {
    await operator.report('a', 8_192);
    await operator.report('b', 8_192);
    await place(1, { force_hosts: ['a'] });
    await place(2, { force_hosts: ['a'], project_id: 'kept' });
    const { json } = await operator.ok('GET', '/resource_providers?name=a');
    const allocations = { [json.resource_providers[0].uuid]: { resources: { VCPU: 1, MEMORY_MB: 256 } } };
    await operator.ok('PUT', `/allocations/${instance(3)}`, {
      ...OWNER,
      allocations,
      consumer_generation: null,
      consumer_type: 'INSTANCE',
    });
    const drained = await plan({ hosts: ['a'], stay: { instances: [], hosts: [], projects: ['kept'] } });
    expect(
      drained.moves.map((move) => [move.instance.uuid, move.source.host, move.target.host, move.hasRequest]),
    ).toEqual([
      [instance(1), 'a', 'b', true],
      [instance(3), 'a', 'b', false],
    ]);
    expect(drained.moves[1]?.amounts).toEqual({ VCPU: 1, MEMORY_MB: 256 });
    expect(drained.unmovable.map((each) => [each.instance.uuid, each.host?.host])).toEqual([[instance(2), 'a']]);
    expect(drained.warnings).toEqual([
      '1 move is of an instance without a recorded request: traits, images and hints are not known, only the allocations, ' +
        'the zone and the group.',
    ]);
  });

  it('makes room for a registered flavor', async () => {
    for (const host of ['a', 'b']) await operator.report(host, 4_096);
    await operator.flavor('half', { vcpus: 1, memory_mb: 3_000 });
    await place(1, { flavor: { vcpus: 1, memory_mb: 1_500 }, force_hosts: ['a'] });
    await place(2, { flavor: { vcpus: 1, memory_mb: 1_500 }, force_hosts: ['b'] });
    const { moves, after } = await plan({ goal: 'room', flavor: 'half', count: 1 });
    expect([moves.length, after.places]).toEqual([1, 1]);
  });

  it.each<[Partial<PlanCommand>, string]>([
    [{ hosts: ['a', 'nowhere'] }, "'hosts.1' is 'nowhere', which is not a host"],
    [{ goal: 'room', flavor: 'nothing' }, "'flavor' is 'nothing', which is not a registered flavor"],
    [
      { goal: 'balance', classes: ['CUSTOM_GOLD'] },
      "'resource_classes.0' is CUSTOM_GOLD, of which no host has an inventory",
    ],
    [
      { hosts: ['a'], stay: { instances: [instance(9)], hosts: [], projects: [] } },
      `'stay.instances.0' is ${instance(9)}, which no host runs`,
    ],
    [
      { hosts: ['a'], stay: { instances: [], hosts: ['b'], projects: [] } },
      "'stay.hosts.0' is 'b', which is not a host",
    ],
    [
      { hosts: ['a'], stay: { instances: [], hosts: [], projects: ['none'] } },
      "'stay.projects.0' is none, which has no instances",
    ],
  ])('refuses %j', async (command, message) => {
    await operator.report('a', 8_192);
    await expect(plan(command)).rejects.toThrow(message);
  });
});
