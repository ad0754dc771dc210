// The sentence of each kind of refusal.
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceClient } from './service-client';

const HINT = 'Send the header X-Auth-Token.';
let answer: readonly [status: number, document: unknown];
let server: Server;
beforeAll((done) => {
  server = createServer((_, response) => response.writeHead(answer[0]).end(JSON.stringify(answer[1])));
  server.listen(0, '127.0.0.1', done);
});
afterAll((done) => void server.close(done));

it.each([
  [
    401,
    { message: 'Authentication required', hint: HINT },
    `Authentication required ${HINT} Set BERTH_TOKEN or give --token. (401)`,
  ],
  [401, { message: `Required. ${HINT}`, hint: HINT }, `Required. ${HINT} Set BERTH_TOKEN or give --token. (401)`],
  [401, { error: { message: 'Who?' }, hint: HINT }, `Who? ${HINT} Set BERTH_TOKEN or give --token. (401)`],
  [403, { errors: [{ detail: 'Access was denied.\n\n It requires role:admin.  ' }] }, 'It requires role:admin. (403)'],
  [409, { errors: [{ detail: 'It is in use.', code: 'scheduler.in_use' }] }, 'It is in use. (409 scheduler.in_use)'],
  [409, { errors: [{ detail: 'Taken.', code: 'placement.undefined_code' }] }, 'Taken. (409)'],
  [418, { errors: [{ title: 'Teapot' }] }, 'Teapot (418)'],
  [418, {}, 'The request is refused. (418)'],
])('%i with %j', async (status, document, message) => {
  answer = [status, document];
  const { port } = server.address() as AddressInfo;
  const client = new ServiceClient({ url: `http://127.0.0.1:${port}`, token: 'x', isText: true, timeoutMs: 5_000 });
  await expect(client.get('/hosts')).rejects.toThrow(new Error(message));
});
