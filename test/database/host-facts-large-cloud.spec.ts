// The facts of a cloud of 10 000 hosts: how many statements load all of them, and parts of them.
import { loadHostAggregates, loadServices } from '../../src/compute/host-facts.loader';
import type { ServiceFacts } from '../../src/scheduling-rules/host-state/host-facts';
import { testDatabaseKinds } from '../support/databases';
import { startTestService } from '../support/service';
import { installStatementCounter } from '../support/statement-counter';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  const HOSTS = 10_000;
  const INSTANCES = 100_000;

  it('is loaded by eight statements, and so are parts of it', async () => {
    const service = await startTestService(kind);
    const counter = installStatementCounter();
    try {
      await service.database.write(async (tx) => {
        const report = JSON.stringify({
          vcpus_total: 64,
          instances: Array.from({ length: 10 }, () => ({ uuid: 'x' })),
        });
        const numbers = (from: number): readonly number[] => Array.from({ length: 1_000 }, (_, at) => from + at);
        const marks = (columns: number): string => `(${Array(columns).fill('?').join(', ')})`;
        for (let from = 1; from <= HOSTS; from += 1_000) {
          await tx.run(
            `INSERT INTO scheduler_services (id, host, created_at) VALUES ${numbers(from)
              .map(() => marks(3))
              .join(', ')}`,
            numbers(from).flatMap((id) => [id, `h${id}`, 1]),
          );
          await tx.run(
            'INSERT INTO scheduler_hosts (service_id, node, report, report_digest, reported_at, created_at) VALUES ' +
              numbers(from)
                .map(() => marks(6))
                .join(', '),
            numbers(from).flatMap((id) => [id, 'n', report, '', 1, 1]),
          );
        }
        const project = await tx.insert("INSERT INTO projects (external_id, created_at) VALUES ('p', 1)");
        const user = await tx.insert("INSERT INTO users (external_id, created_at) VALUES ('u', 1)");
        const uuidOf = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
        const columns =
          'uuid, host, node, host_uuid, project_id, user_id, flavor, request_id, state, alternates, tried, request, listed_at, created_at';
        for (let from = 0; from < INSTANCES; from += 1_000) {
          await tx.run(
            `INSERT INTO scheduler_instances (${columns}) VALUES ${numbers(from)
              .map(() => marks(14))
              .join(', ')}`,
            numbers(from).flatMap((at) => [
              uuidOf(at),
              `h${1 + (at % HOSTS)}`,
              'n',
              '0',
              'p',
              'u',
              '{"vcpus":1}',
              'r',
              'placed',
              '[]',
              '[]',
              '{}',
              // One in a hundred is pending.
              at % 100 === 0 ? null : 1,
              1,
            ]),
          );
          await tx.run(
            'INSERT INTO consumers (uuid, generation, project_id, user_id, created_at) VALUES ' +
              numbers(from)
                .map(() => marks(5))
                .join(', '),
            numbers(from).flatMap((at) => [uuidOf(at), 1, project, user, 1]),
          );
        }
      });
      const load = (ids: readonly number[] | null): Promise<readonly ServiceFacts[]> =>
        service.database.readSnapshot((sql) => loadServices(sql, ids));
      let all: readonly ServiceFacts[] = [];
      const statements = await counter.during(async () => {
        all = await load(null);
        await service.database.readSnapshot((sql) => loadHostAggregates(sql, null));
      });
      expect(statements.filter((text) => text.startsWith('SELECT'))).toHaveLength(8);
      expect([all.length, all[0]?.hosts[0]?.report.instances?.length]).toEqual([HOSTS, 10]);
      expect(all.reduce((sum, { pending }) => sum + pending.length, 0)).toBe(INSTANCES / 100);
      const some = await counter.during(async () => {
        expect((await load([5, 7, 999_999])).map(({ host }) => host)).toEqual(['h5', 'h7']);
      });
      expect(some.filter((text) => text.startsWith('SELECT'))).toHaveLength(5);
    } finally {
      counter.uninstall();
      await service.stop();
    }
  });
});
