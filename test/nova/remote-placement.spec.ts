// Berth in the place of nova-scheduler, in front of a Placement service of its own process or of OpenStack: a conductor
// calls it over RabbitMQ, and it claims over HTTP.
import { randomUUID } from 'node:crypto';
import { runCli } from '../../src/cli/program';
import { CallRecords } from '../../src/nova/decide/call-records';
import type { Json } from '../../src/nova/objects/captured.fixture';
import { Unavailable } from '../../src/platform/values/errors';
import { ClaimBatches } from '../../src/scheduler/claim/claim-batches';
import type { ClaimBatch, ClaimRequest, Claims } from '../../src/scheduler/ports';
import { CLAIMS, newBatch } from '../../src/scheduler/ports';
import { RemoteConsumers } from '../../src/scheduler/remote-placement/remote-consumers';
import type { TestDatabaseKind } from '../support/databases';
import { testDatabaseKinds } from '../support/databases';
import { hasRabbit } from '../support/rabbit';
import type { TestService } from '../support/service';
import { ALL_POWERFUL } from '../support/service';
import type { Conductor } from './conductor';
import type { ForeignKind } from './foreign-placement';
import { ForeignPlacement, hasOpenStack } from './foreign-placement';
import { NovaCloud } from './nova-cloud';
import { eventually, flavor, group, hostsOf, spec } from './requests';

const kinds = testDatabaseKinds();
const isAble = kinds.includes('mysql') && hasRabbit() && hasOpenStack();
if (!isAble && process.env['BERTH_REQUIRE_CLIENTS'] === '1')
  throw new Error('RabbitMQ, MariaDB or Placement is missing');

/** Each service with each database once. */
const PAIRS: readonly (readonly [ForeignKind, TestDatabaseKind])[] = [
  ['openstack', 'mysql'],
  ['berth', 'sqlite'],
];
const AMOUNTS = { VCPU: 1, MEMORY_MB: 256, DISK_GB: 1 };

(isAble ? describe.each(PAIRS) : describe.skip.each(PAIRS))(
  'Placement elsewhere: %s, records on %s',
  (foreign, kind) => {
    let placement: ForeignPlacement;
    let cloud: NovaCloud;
    let berth: TestService;
    let conductor: Conductor;
    let claims: Claims;
    let batches: ClaimBatches;

    beforeAll(async () => {
      placement = await ForeignPlacement.start(foreign);
      cloud = await NovaCloud.prepare(placement.confLines);
      for (const [name, uuid] of Object.entries(cloud.nodes)) {
        const inventories = {
          VCPU: { total: 8, allocation_ratio: 4 },
          MEMORY_MB: { total: 16_384 },
          DISK_GB: { total: 500 },
        };
        await placement.provider(uuid, { name, inventories });
      }
      berth = await cloud.start(kind, { overrides: { nova: { placement: 'remote' } } });
      claims = berth.app.get<Claims>(CLAIMS, { strict: false });
      batches = berth.app.get(ClaimBatches, { strict: false });
      conductor = await cloud.conductor();
    }, 180_000);
    afterAll(async () => {
      await conductor?.close();
      await cloud?.remove();
      await placement?.stop();
    }, 60_000);

    const rows = async (table: string): Promise<number> => {
      const [row] = await berth.database.read((sql) => sql.query<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`));
      return Number(row?.n);
    };
    const nothingIsOpen = async (): Promise<void> => {
      expect(await Promise.all(['scheduler_batches', 'scheduler_remote_claims'].map(rows))).toEqual([0, 0]);
    };
    const write = (text: string): Promise<number> => berth.database.write((tx) => tx.run(text));
    /** As if the owner of all batches had stopped long ago. */
    const expire = async (): Promise<void> => {
      await write('UPDATE scheduler_batches SET lease_until = 0');
      await write('UPDATE scheduler_remote_claims SET created_at = 0');
    };
    const put = (
      uuid: string,
      nodes: readonly string[],
      generation: number | null,
      amounts = AMOUNTS,
    ): Promise<unknown> =>
      placement.ask('PUT', `/allocations/${uuid}`, {
        allocations: Object.fromEntries(nodes.map((node) => [node, { resources: amounts }])),
        project_id: 'p',
        user_id: 'u',
        consumer_generation: generation,
      });
    const claimOf = (consumerUuid: string, more: Partial<ClaimRequest> = {}): ClaimRequest => ({
      consumerUuid,
      allocations: { [cloud.nodes.cmp1]: { resources: AMOUNTS } },
      mappings: { '': [cloud.nodes.cmp1] },
      projectId: 'p',
      userId: 'u',
      host: { host: 'cmp1', node: 'cmp1', uuid: cloud.nodes.cmp1, cell: null },
      zone: null,
      group: null,
      placement: null,
      alternates: [],
      record: {
        requestId: 'req-1',
        name: null,
        flavor: {},
        flavorId: null,
        image: null,
        imageUuid: null,
        isBfv: false,
        request: {},
        attempts: 1,
        tried: [],
      },
      ...more,
    });
    const claimed = async (...requests: readonly ClaimRequest[]): Promise<ClaimBatch> => {
      const batch = newBatch('req-1');
      expect(await claims.claim(requests, batch)).toBe('claimed');
      return batch;
    };

    describe('claims', () => {
      it('writes several consumers or none, and keeps nothing open after the end', async () => {
        const [one, two] = [randomUUID(), randomUUID()];
        const batch = await claimed(claimOf(one), claimOf(two));
        expect(await rows('scheduler_remote_claims')).toBe(2);
        await claims.finish([], batch);
        await nothingIsOpen();
        expect(await placement.held(one)).toEqual({ [cloud.nodes.cmp1]: AMOUNTS });
        expect(await placement.held(two)).toEqual({ [cloud.nodes.cmp1]: AMOUNTS });
        const [third, large] = [randomUUID(), { [cloud.nodes.cmp1]: { resources: { MEMORY_MB: 16_384 } } }];
        const next = newBatch('req-2');
        const refused = await claims.claim([claimOf(third), claimOf(randomUUID(), { allocations: large })], next);
        await claims.release(next);
        await nothingIsOpen();
        expect(refused).toMatchObject({ outcome: 'no_capacity', message: expect.stringMatching(/MEMORY_MB|capacity/) });
        expect(await placement.held(third)).toEqual({});
      });

      it.each<[string, () => Partial<ClaimRequest>, string]>([
        ['no_capacity', () => ({ allocations: { [cloud.nodes.cmp1]: { resources: { VCPU: 33 } } } }), 'a full host'],
        ['no_capacity', () => ({ allocations: { [cloud.nodes.cmp1]: { resources: { PCPU: 1 } } } }), 'no inventory'],
        ['no_capacity', () => ({ allocations: { [randomUUID()]: { resources: AMOUNTS } } }), 'a deleted provider'],
        ['consumer_exists', () => ({ consumerUuid: EXISTING }), 'an existing consumer'],
      ])('refuses with %s', async (outcome, more, _what) => {
        if ((await placement.held(EXISTING))[cloud.nodes.cmp2] === undefined)
          await put(EXISTING, [cloud.nodes.cmp2], null);
        const batch = newBatch('req-1');
        const request = claimOf(randomUUID(), more());
        expect(await claims.claim([request], batch)).toMatchObject({ outcome });
        // The next host can be claimed in the same batch.
        const next = claimOf(outcome === 'consumer_exists' ? randomUUID() : request.consumerUuid);
        expect(await claims.claim([next], batch)).toBe('claimed');
        await claims.release(batch);
        expect(await placement.held(next.consumerUuid)).toEqual({});
        expect(await placement.held(EXISTING)).toEqual({ [cloud.nodes.cmp2]: AMOUNTS });
        await nothingIsOpen();
      });
      const EXISTING = randomUUID();

      it('restores the allocations from before, and only if they are still those of the claim', async () => {
        const [kept, changed] = [randomUUID(), randomUUID()];
        for (const uuid of [kept, changed]) await put(uuid, [cloud.nodes.cmp2], null);
        const both = { ...(await claims.held(kept))?.allocations, [cloud.nodes.cmp1]: { resources: AMOUNTS } };
        const again = async (uuid: string): Promise<ClaimBatch> => {
          const existing = await claims.held(uuid);
          return claimed(claimOf(uuid, { allocations: both, ...(existing && { existing }) }));
        };
        const batch = await again(kept);
        expect(Object.keys(await placement.held(kept))).toHaveLength(2);
        await claims.release(batch);
        expect(await placement.held(kept)).toEqual({ [cloud.nodes.cmp2]: AMOUNTS });
        const other = await again(changed);
        await put(changed, [cloud.nodes.cmp3], 2);
        await claims.release(other);
        expect(await placement.held(changed)).toEqual({ [cloud.nodes.cmp3]: AMOUNTS });
        await nothingIsOpen();
      });

      it('reports a consumer of another generation as changed', async () => {
        const uuid = randomUUID();
        await put(uuid, [cloud.nodes.cmp2], null);
        const existing = await claims.held(uuid);
        await put(uuid, [cloud.nodes.cmp3], 1);
        const request = claimOf(uuid, { ...(existing && { existing }) });
        expect(await claims.claim([request], newBatch('req-1'))).toMatchObject({ outcome: 'consumer_exists' });
        await expire();
        await batches.recover();
        await nothingIsOpen();
      });

      it.each([
        ['after its claim', async () => undefined],
        ['before the answer of Placement', () => write('DELETE FROM scheduler_instances')],
      ])('undoes a claim whose process stops %s', async (_what, lose) => {
        const uuid = randomUUID();
        await claimed(claimOf(uuid));
        await lose();
        expect(await batches.recover()).toBe(0);
        await expire();
        expect(await batches.recover()).toBe(1);
        expect(await placement.held(uuid)).toEqual({});
        expect(await rows(`scheduler_instances WHERE uuid = '${uuid}'`)).toBe(0);
        await nothingIsOpen();
      });

      it('undoes a claim that arrives after another process has rolled its batch back', async () => {
        const uuid = randomUUID();
        const batch = newBatch('req-1');
        await claims.open(batch);
        const consumers = berth.app.get(RemoteConsumers, { strict: false });
        const sending = jest.spyOn(consumers, 'write').mockImplementationOnce(async (writes) => {
          // The other process finds nothing, because the claim has not arrived.
          await expire();
          expect(await batches.recover()).toBe(1);
          return consumers.write(writes);
        });
        await expect(claims.claim([claimOf(uuid)], batch)).rejects.toThrow(Unavailable);
        sending.mockRestore();
        expect(await placement.held(uuid)).toEqual({});
        await nothingIsOpen();
      });

      it('settles a claim whose answer is lost', async () => {
        const uuid = randomUUID();
        await claims.held(uuid);
        placement.proxy.loseAllAnswers();
        const batch = newBatch('req-1');
        const answer = claims.claim([claimOf(uuid)], batch);
        await expect(answer).rejects.toThrow(/does not answer within 5 s/);
        placement.proxy.cut();
        expect(await placement.held(uuid)).toEqual({ [cloud.nodes.cmp1]: AMOUNTS });
        // Until it is settled, the instance is not claimed again.
        await expect(claims.held(uuid)).rejects.toThrow(/not settled/);
        await claims.release(batch);
        expect(await placement.held(uuid)).toEqual({});
        await nothingIsOpen();
      });

      it('waits for a claim that can still arrive', async () => {
        const uuid = randomUUID();
        await claims.held(uuid);
        placement.proxy.holdAllRequests();
        const batch = newBatch('req-1');
        await expect(claims.claim([claimOf(uuid)], batch)).rejects.toThrow(/does not answer within 5 s/);
        placement.proxy.passNewRequests();
        await claims.release(batch);
        expect(await rows('scheduler_remote_claims')).toBe(1);
        await placement.proxy.deliver();
        expect(await placement.held(uuid)).toEqual({ [cloud.nodes.cmp1]: AMOUNTS });
        await write('UPDATE scheduler_batches SET lease_until = 0');
        expect(await batches.recover()).toBe(1);
        expect(await placement.held(uuid)).toEqual({});
        await nothingIsOpen();
      });

      it('leaves nothing to settle if the claim was not sent', async () => {
        const uuid = randomUUID();
        placement.proxy.shut();
        const batch = newBatch('req-1');
        await expect(claims.claim([claimOf(uuid)], batch)).rejects.toThrow(Unavailable);
        placement.proxy.reopen();
        await claims.release(batch);
        await expire();
        await batches.recover();
        await nothingIsOpen();
      });
    });

    describe('the service', () => {
      it('names its guarantees, and refuses what needs a graph of its own', async () => {
        const { json } = await berth.request({ path: '/scheduler', headers: ALL_POWERFUL });
        expect(json.guarantees).toMatchObject({ claims: 'repaired', group_policy: 'after_claiming' });
        for (const path of [
          '/resource_providers',
          '/reports/hosts',
          '/scheduler/inst%61nces',
          `/allocations/${randomUUID()}`,
        ]) {
          const answer = await berth.request({ path, headers: ALL_POWERFUL });
          expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('[nova] placement = remote')]);
        }
        for (const path of ['/', '/scheduler/decisions', '/reports/refusals']) {
          expect((await berth.request({ path, headers: ALL_POWERFUL })).status).toBe(200);
        }
      });

      const command = async (...words: readonly string[]): Promise<{ code: number; text: string }> => {
        const [out, err]: [string[], string[]] = [[], []];
        const env = {
          DATABASE_URL: berth.databaseUrl,
          BERTH_NOVA__CONFIG_FILE: 'nova.conf',
          BERTH_NOVA__RELEASE: '26',
          BERTH_NOVA__PLACEMENT: 'remote',
        };
        const streams = {
          stdout: (text: string) => void out.push(text),
          stderr: (text: string) => void err.push(text),
        };
        const code = await runCli(words, streams, { env, cwd: cloud.folder });
        return { code, text: [...out, ...err].join('') };
      };

      it('checks the endpoint and the providers of the hosts before the switch', async () => {
        const good = await command('scheduler', 'check');
        expect(good.text).toMatch(/^ok +Placement: http:\S+ answers, newest microversion 1\.39\.$/m);
        expect(good.text).toMatch(/^warning +aggregates: Aggregate .* lacks \d hosts? in Placement \(cmp/m);
        expect(good.text).not.toContain(placement.keystone.password);
        placement.proxy.shut();
        const bad = await command('scheduler', 'check');
        placement.proxy.reopen();
        expect(bad).toMatchObject({
          code: 1,
          text: expect.stringMatching(/^error +Placement: Placement at .* cannot/m),
        });
      });

      it.each([['audit'], ['scheduler', 'shadow']])('refuses berth %s %s', async (...words) => {
        const { code, text } = await command(...words.filter((word) => word !== undefined));
        expect([code, text]).toEqual([1, expect.stringContaining('not available with [nova] placement = remote')]);
      });
    });

    describe('calls of nova', () => {
      it('places an instance on a host of nova, with alternates', async () => {
        const uuid = randomUUID();
        const answer = await conductor.select({ instance_uuids: [uuid], spec_obj: spec() });
        expect(answer.failure).toBeNull();
        const [hosts = []] = hostsOf(answer);
        expect(new Set(hosts)).toEqual(new Set(['cmp1', 'cmp2', 'cmp3']));
        expect(await placement.held(uuid)).toEqual({ [cloud.nodes[hosts[0] as 'cmp1']]: AMOUNTS });
        await nothingIsOpen();
      });

      it('places a batch as a whole or not at all', async () => {
        const two = [randomUUID(), randomUUID()];
        expect(hostsOf(await conductor.select({ instance_uuids: two, spec_obj: spec() }))).toHaveLength(2);
        for (const uuid of two) expect(Object.keys(await placement.held(uuid))).toHaveLength(1);
        const many = Array.from({ length: 4 }, () => randomUUID());
        const wide = spec(flavor({ memory_mb: 10_000 }));
        expect((await conductor.select({ instance_uuids: many, spec_obj: wide })).failure.class).toBe('NoValidHost');
        for (const uuid of many) expect(await placement.held(uuid)).toEqual({});
        await nothingIsOpen();
      });

      it('says that Placement gives no reasons', async () => {
        const requestId = `req-${randomUUID()}`;
        const huge = spec(flavor({ vcpus: 1_000 }));
        const { failure } = await conductor.select({ instance_uuids: [randomUUID()], spec_obj: huge }, { requestId });
        expect(failure.class).toBe('NoValidHost');
        const { json } = await eventually(async () => {
          const found = await berth.request({ path: `/scheduler/decisions/${requestId}`, headers: ALL_POWERFUL });
          return found.status === 200 ? found : undefined;
        });
        expect(json.summary.sentence).toMatch(/Placement did not offer/);
      });

      it('adds the new host of an evacuation, and places a resized instance again', async () => {
        const [evacuated, resized] = [randomUUID(), randomUUID()];
        await put(evacuated, [cloud.nodes.cmp1], null);
        const args = { instance_uuids: [evacuated], spec_obj: spec({ ignore_hosts: ['cmp1', 'cmp3'] }) };
        expect(hostsOf(await conductor.select(args))[0]?.[0]).toBe('cmp2');
        expect(Object.keys(await placement.held(evacuated)).sort()).toEqual(
          [cloud.nodes.cmp1, cloud.nodes.cmp2].sort(),
        );
        // nova has moved the allocations of a resized instance to its migration, in one request.
        const migration = randomUUID();
        await conductor.select({ instance_uuids: [resized], spec_obj: spec({ ignore_hosts: ['cmp2', 'cmp3'] }) });
        const owner = { project_id: 'p', user_id: 'u' };
        await placement.ask('POST', '/allocations', {
          [resized]: { ...owner, allocations: {}, consumer_generation: 1 },
          [migration]: {
            ...owner,
            allocations: { [cloud.nodes.cmp1]: { resources: AMOUNTS } },
            consumer_generation: null,
          },
        });
        await conductor.select({ instance_uuids: [resized], spec_obj: spec({ ignore_hosts: ['cmp1', 'cmp2'] }) });
        expect(await placement.held(resized)).toEqual({ [cloud.nodes.cmp3]: AMOUNTS });
        expect(await placement.held(migration)).toEqual({ [cloud.nodes.cmp1]: AMOUNTS });
      });

      it('releases a claim of a call without a known outcome that nova does not know', async () => {
        const [uuid, requestId] = [randomUUID(), `req-${randomUUID()}`];
        const calls = berth.app.get(CallRecords, { strict: false });
        const record = await calls.open(requestId, [uuid], 0);
        await conductor.select({ instance_uuids: [uuid], spec_obj: spec() }, { requestId });
        await write(`UPDATE nova_calls SET judge_at = 0 WHERE uuid = '${record.uuid}'`);
        expect(await calls.recover()).toBe(1);
        expect(await placement.held(uuid)).toEqual({});
      });

      it('tries again after Placement was down', async () => {
        const uuid = randomUUID();
        placement.proxy.shut();
        const answer = conductor.select({ instance_uuids: [uuid], spec_obj: spec() });
        await new Promise((resume) => setTimeout(resume, 1_000));
        placement.proxy.reopen();
        expect((await answer).failure).toBeNull();
        expect(Object.keys(await placement.held(uuid))).toHaveLength(1);
      });

      const claimsOf = async (requestId: string): Promise<unknown> => {
        const path = `/scheduler/decisions/${requestId}?explain=all`;
        const found = await eventually(async () => {
          const answer = await berth.request({ path, headers: ALL_POWERFUL });
          return answer.status === 200 ? answer : undefined;
        });
        return found.json.passes.map((pass: Json) => pass['claims']);
      };

      it('holds the policies of groups under races of two processes', async () => {
        const second = await cloud.start(kind, { sameDatabaseAs: berth, overrides: { nova: { placement: 'remote' } } });
        try {
          await eventually(async () => {
            const shown = await cloud.rabbit.control('list_queues', 'name', 'consumers');
            return /^scheduler\s+2$/m.test(shown) ? true : undefined;
          });
          for (const policy of ['anti-affinity', 'anti-affinity', 'affinity']) {
            const uuid = randomUUID();
            const members = Array.from({ length: 4 }, () => randomUUID());
            const answers = await Promise.all(
              members.map((member) =>
                conductor.select({ instance_uuids: [member], spec_obj: spec(group(uuid, policy, [member])) }),
              ),
            );
            const placed = answers.filter(({ failure }) => failure === null).map((answer) => hostsOf(answer)[0]?.[0]);
            const held = (await Promise.all(members.map((member) => placement.held(member)))).flatMap(Object.keys);
            if (policy === 'affinity') {
              expect(placed).toHaveLength(4);
              expect(new Set(held).size).toBe(1);
            } else {
              expect(placed.sort()).toEqual(['cmp1', 'cmp2', 'cmp3']);
              expect(held.sort()).toEqual(Object.values(cloud.nodes).sort());
              // nova deletes one instance: its host is free for the group again.
              const [gone = '', ...left] = members.filter((_, at) => answers[at]?.failure === null);
              await placement.ask('DELETE', `/allocations/${gone}`);
              const late = randomUUID();
              const again = spec(group(uuid, policy, [late, ...left]));
              const requestId = `req-${randomUUID()}`;
              const answer = await conductor.select({ instance_uuids: [late], spec_obj: again }, { requestId });
              expect(answer.failure === null ? [] : await claimsOf(requestId)).toEqual([]);
              expect(answer.failure).toBeNull();
            }
            await nothingIsOpen();
          }
        } finally {
          await second.stop();
        }
      }, 60_000);
    });
  },
);
