// Batches of several transactions whose process stops between two of them, on both databases: another process undoes
// the claims, and the first one, if it resumes, claims nothing more.
import { ClaimBatches } from '../../src/scheduler/claim/claim-batches';
import type { Claims } from '../../src/scheduler/ports';
import { CLAIMS } from '../../src/scheduler/ports';
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { books, hostsOf, instance, select } from './scheduler-cloud';
import type { Operator } from './scheduler-operator';
import { operatorOf } from './scheduler-operator';

const MANY = Array.from({ length: 120 }, (_, at) => instance(at + 1));

/** Holds the claims of a service, from the given one on, until released. */
function stopAtClaim(
  service: TestService,
  number: number,
): { readonly reached: Promise<void>; readonly goOn: () => void } {
  const claims = service.app.get<Claims>(CLAIMS, { strict: false });
  const claim = claims.claim.bind(claims);
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let made = 0;
  const reached = new Promise<void>((resolve) => {
    claims.claim = async (requests, batch) => {
      made += 1;
      if (made === number) resolve();
      if (made >= number) await held;
      return claim(requests, batch);
    };
  });
  return { reached, goOn: () => goOn() };
}

describe.each(testDatabaseKinds())('batches whose process stops, on %s', (kind) => {
  let first: TestService;
  let other: TestService;
  let operator: Operator;
  beforeEach(async () => {
    first = await startTestService(kind);
    other = await startTestService(kind, { sameDatabaseAs: first });
    operator = operatorOf(other);
    await operator.report('alpha', 1_000_000);
  });
  afterEach(async () => {
    await other.stop();
    await first.stop();
  });

  const ask = (): Promise<TestResponse> =>
    select(first, { instances: MANY, flavor: { name: 'f', vcpus: 0, memory_mb: 64 } });
  const recover = (): Promise<number> => other.app.get(ClaimBatches, { strict: false }).recover();
  const rows = async (table: string): Promise<number> => {
    const [row] = await other.database.read((sql) => sql.query<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`));
    return Number(row?.n);
  };
  const expire = (): Promise<number> =>
    other.database.write((tx) => tx.run('UPDATE scheduler_batches SET lease_until = 0'));

  it('are undone by another process after their lease has expired, and not before', async () => {
    const { reached, goOn } = stopAtClaim(first, 3);
    const answer = ask();
    await reached;
    expect([await rows('scheduler_batches'), await rows('scheduler_instances')]).toEqual([1, 100]);
    expect(await recover()).toBe(0);
    expect(await rows('scheduler_instances')).toBe(100);
    await expire();
    expect(await recover()).toBe(1);
    expect(await books(other)).toEqual({ consumers: 0, faults: [] });
    goOn();
    expect(await answer).toMatchObject({ status: 503 });
    expect(await books(other)).toEqual({ consumers: 0, faults: [] });
    expect([await rows('scheduler_batches'), await rows('scheduler_instances')]).toEqual([0, 0]);
    expect(await operator.instances()).toEqual([]);
  });

  it('are kept once finished, by every process', async () => {
    expect(hostsOf(await ask())).toHaveLength(MANY.length);
    expect(await recover()).toBe(0);
    expect([await rows('scheduler_batches'), await rows('scheduler_instances')]).toEqual([0, MANY.length]);
  });

  it('leave unchanged what was released and claimed again in the meantime', async () => {
    const { reached, goOn } = stopAtClaim(first, 3);
    const answer = ask();
    await reached;
    await operator.ok('DELETE', `/scheduler/instances/${instance(1)}`);
    expect((await select(other, { instances: [instance(1)] })).status).toBe(200);
    await expire();
    expect(await recover()).toBe(1);
    expect(await rows('scheduler_instances')).toBe(1);
    goOn();
    expect(await answer).toMatchObject({ status: 503 });
    expect(await books(other)).toEqual({ consumers: 1, faults: [] });
  });
});
