// The whole service while its database is unavailable, and after its return: the answers of each surface, including
// probes.
import type { TestDatabase } from '../support/databases';
import { createTestDatabase, testDatabaseKinds } from '../support/databases';
import type { TestRequest, TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { TcpProxy } from '../support/tcp-proxy';

const describeOnMysql = testDatabaseKinds().includes('mysql') ? describe : describe.skip;
const HOST = '4e8e5957-649f-477b-9e5b-f1f75b21c03c';
const LOOKS = 100;

describeOnMysql('a service whose database goes away', () => {
  let test: TestDatabase;
  let proxy: TcpProxy;
  let service: TestService;

  beforeAll(async () => {
    test = await createTestDatabase('mysql');
    const { hostname, port, pathname, username } = new URL(test.url);
    proxy = await TcpProxy.open({ host: hostname, port: Number(port || 3306) });
    // The test needs no real database, so it uses the cheapest kind.
    service = await startTestService('sqlite', {
      env: { DATABASE_URL: `mysql://${username}@${proxy.host}:${proxy.port}${pathname}` },
    });
    await service.request({ method: 'POST', path: '/resource_providers', body: { name: 'host', uuid: HOST } });
    const inventories = { VCPU: { total: 1_000 } };
    await service.request({
      method: 'PUT',
      path: `/resource_providers/${HOST}/inventories`,
      body: { resource_provider_generation: 0, inventories },
    });
  });
  afterAll(async () => {
    await service.stop();
    await proxy.close();
    await test.drop();
  });

  const claim = (number: number): TestRequest => ({
    method: 'PUT',
    path: `/allocations/00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    body: {
      allocations: { [HOST]: { resources: { VCPU: 1 } } },
      project_id: 'p',
      user_id: 'u',
      consumer_generation: null,
      consumer_type: 'INSTANCE',
    },
  });
  const used = async (): Promise<unknown> =>
    (await service.request({ path: `/resource_providers/${HOST}/usages` })).json.usages;
  /** Repeats the request until the answer matches, up to a limit; returns the last answer. */
  const answerThat = async (request: TestRequest, isSuch: (answer: TestResponse) => boolean): Promise<TestResponse> => {
    for (let looks = 1; ; looks += 1) {
      const answer = await service.request(request);
      if (isSuch(answer) || looks >= LOOKS) return answer;
      await new Promise((resume) => setTimeout(resume, 100));
    }
  };
  const until = async (request: TestRequest, wanted: number): Promise<number> => {
    const { status } = await answerThat(request, (answer) => answer.status === wanted);
    return status;
  };

  it("answers 503 with Retry-After and the surface's code everywhere, and recovers", async () => {
    expect((await service.request(claim(1))).status).toBe(204);
    expect((await service.request({ path: '/readyz' })).json).toMatchObject({
      status: 'ready',
      reads: { works: true },
      writes: { works: true },
    });
    proxy.shut();
    await new Promise((resume) => setTimeout(resume, 50));
    const flavor = { name: 'small', vcpus: 1, memory_mb: 1, root_gb: 1 };
    const requests: readonly (readonly [TestRequest, string])[] = [
      [claim(2), 'placement.undefined_code'],
      [{ path: `/resource_providers/${HOST}` }, 'placement.undefined_code'],
      [{ path: '/allocation_candidates?resources=VCPU:1' }, 'placement.undefined_code'],
      [{ path: '/scheduler/flavors' }, 'scheduler.unavailable'],
      [{ method: 'POST', path: '/scheduler/flavors', body: flavor }, 'scheduler.unavailable'],
    ];
    for (const [request, code] of requests) {
      const { status, headers, json } = await service.request(request);
      const { errors } = json as { errors: readonly { code: string; detail: string }[] };
      expect([request.path, status, errors[0]?.code, headers['retry-after']]).toEqual([request.path, 503, code, '1']);
      expect(errors[0]?.detail).toContain('The database cannot be reached.');
    }
    // A commit proves for a short time that writes work.
    const isOut = ({ json: shown }: TestResponse): boolean => shown?.writes?.works === false && !shown.reads.works;
    const { status, json, headers } = await answerThat({ path: '/readyz' }, isOut);
    expect(status).toBe(503);
    const down = { works: false, reason: 'The database cannot be reached.' };
    expect([json, headers['retry-after']]).toEqual([{ status: 'unavailable', reads: down, writes: down }, '1']);
    proxy.reopen();
    expect(await until({ path: '/readyz' }, 200)).toBe(200);
    expect((await service.request(claim(3))).status).toBe(204);
    expect(await used()).toEqual({ VCPU: 2 });
  });

  it('recovers quickly from connections that died silently, and never reports success for an interrupted claim', async () => {
    const before = (await used()) as { VCPU: number };
    await Promise.all(Array.from({ length: 10 }, (_, at) => service.request(claim(10 + at))));
    proxy.dropPackets();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => service.request(claim(20 + at))));
    const later = await Promise.all(Array.from({ length: 10 }, (_, at) => service.request(claim(30 + at))));
    expect(new Set(later.map(({ status }) => status))).toEqual(new Set([204]));
    const granted = [...answers, ...later].filter(({ status }) => status === 204).length;
    expect(new Set(answers.map(({ status }) => status))).not.toContain(500);
    expect(await used()).toEqual({ VCPU: before.VCPU + 10 + granted });
    expect(await until({ path: '/readyz' }, 200)).toBe(200);
  });
});
