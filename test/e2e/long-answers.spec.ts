// An answer of megabytes is sent chunk by chunk: it is complete, the log has its size, it has a
// limit, and a client that leaves in the middle does not affect other answers.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { HTTP_LIMITS } from '../../src/platform/config/limits/http';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { loadWorld } from './scheduler-cloud';

const CARDS = Array.from({ length: 8 }, (_, card) => `  card${card}  SRIOV_NET_VF:8`).join('\n');
const HOSTS = Array.from({ length: 6 }, (_, host) => `host${host}  VCPU:64\n${CARDS.replaceAll('card', `h${host}c`)}`);
const GROUPS = [1, 2, 3].map((group) => `resources${group}=SRIOV_NET_VF:1`).join('&');
const ALL = `/allocation_candidates?${GROUPS}&group_policy=none`;
const COUNT = HOSTS.length * 8 ** 3;
const LONG_COUNT = 12_000;
const LONG = `${ALL}&resources4=SRIOV_NET_VF:1&limit=${LONG_COUNT}`;

interface Line {
  readonly path?: string;
  readonly status?: number;
  readonly bytes?: number | null;
}

let service: TestService;
let bounded: TestService;
let lines: Line[] = [];

beforeAll(async () => {
  service = await startTestService('sqlite', { log: (line) => lines.push(JSON.parse(line) as Line) });
  await loadWorld(service, HOSTS.join('\n'));
  bounded = await startTestService('sqlite', {
    sameDatabaseAs: service,
    overrides: { berth: { max_allocation_candidates_bytes: 100_000 } },
  });
});
afterAll(async () => {
  await bounded.stop();
  await service.stop();
});

it.each([
  ['1.36', LONG, LONG_COUNT],
  ['1.29', LONG, LONG_COUNT],
  ['1.36', ALL, COUNT],
  ['1.29', ALL, COUNT],
])('is complete at %s, and the log has its length: %s', async (version, path, count) => {
  lines = [];
  const { status, headers, text, json } = await service.request({ path, version });
  expect(text.length).toBeGreaterThan(HTTP_LIMITS.bodyChunkCharacters);
  expect([status, headers['content-length']]).toEqual([200, undefined]);
  expect(json.allocation_requests).toHaveLength(count);
  expect(lines.find((line) => line.status === 200)?.bytes).toBe(Buffer.byteLength(text));
});

it('is refused in advance if it exceeds the limit, and sent with a smaller `limit`', async () => {
  const { status, json } = await bounded.request({ path: ALL });
  expect(status).toBe(400);
  expect(json.errors[0].detail).toContain("more than 100000 bytes; ask for fewer of them with 'limit'");
  expect((await bounded.request({ path: `${ALL}&limit=10` })).json.allocation_requests).toHaveLength(10);
});

it('counts the summaries in addition to the candidates', async () => {
  const one = await bounded.request({ path: `${ALL}&limit=1` });
  const each = one.text.length;
  const tight = await startTestService('sqlite', {
    sameDatabaseAs: service,
    overrides: { berth: { max_allocation_candidates_bytes: each - 1 } },
  });
  expect((await tight.request({ path: `${ALL}&limit=1` })).status).toBe(400);
  await tight.stop();
});

it('is cancelled when its client leaves, and others are served', async () => {
  await service.app.listen(0, '127.0.0.1');
  const { port } = service.app.getHttpServer().address() as AddressInfo;
  for (let round = 0; round < 5; round += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `GET ${LONG} HTTP/1.1\r\nhost: x\r\nx-auth-token: admin\r\nopenstack-api-version: placement 1.36\r\n\r\n`,
    );
    await once(socket, 'data');
    socket.destroy();
    await once(socket, 'close');
  }
  const { json } = await service.request({ path: ALL, version: '1.36' });
  expect(json.allocation_requests).toHaveLength(COUNT);
});
