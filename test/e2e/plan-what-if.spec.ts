// Laws of the planned cloud on both databases: what it says fits is accepted by the service when the same move is made
// there, and what it refuses is refused; after each move its figures and states equal those of the service.
import { cloudOf } from '../../src/scheduler/plans/build-cloud';
import { SnapshotReader } from '../../src/scheduler/plans/snapshot-reader';
import type { WhatIfCloud } from '../../src/scheduler/plans/what-if-cloud';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { instance, select } from './scheduler-cloud';
import type { Operator } from './scheduler-operator';
import { operatorOf } from './scheduler-operator';

const CALLER = { requestId: 'req-plan', globalRequestId: null, principal: undefined, isGone: false };

describe.each(testDatabaseKinds())('the planned cloud, on %s', (kind) => {
  let service: TestService;
  let operator: Operator;
  beforeAll(async () => {
    service = await startTestService(kind);
    operator = operatorOf(service);
  });
  afterAll(() => service.stop());
  afterEach(() => operator.clear());

  const planned = async (): Promise<WhatIfCloud> =>
    cloudOf(await service.app.get(SnapshotReader, { strict: false }).read(CALLER), []);

  it('names targets, claims and releases', async () => {
    await operator.report('a', 8_192);
    await operator.report('b', 4_096);
    for (const number of [1, 2]) {
      const answer = await select(service, { instances: [instance(number)], force_hosts: ['a'] });
      expect(answer.status).toBe(200);
    }
    const cloud = await planned();
    expect(cloud.hosts.map(({ host }) => host)).toEqual(['a', 'b']);
    expect(cloud.instances.map(({ uuid }) => uuid)).toEqual([instance(1), instance(2)]);
    expect(await cloud.targets(0)).toEqual({ hosts: [1], refusal: null });
    const before = [...cloud.used];
    const mark = cloud.mark();
    expect(await cloud.claim(0, 1)).toBe(true);
    expect([cloud.hostOf(0), cloud.targetOf(0)]).toEqual([0, 1]);
    cloud.release(0);
    expect(cloud.hostOf(0)).toBe(1);
    expect(cloud.instancesOn(1)).toEqual([0]);
    cloud.rollback(mark);
    expect([...cloud.used]).toEqual(before);
    cloud.close(1);
    expect((await cloud.targets(0)).refusal).toEqual({
      sentence: '0 of 2 hosts fit: both hosts are excluded: the request ignores this host.',
      remedy: null,
    });
  });
});
