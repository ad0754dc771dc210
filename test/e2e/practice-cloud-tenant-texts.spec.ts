// What a tenant reads about a server without a host: no host, aggregate, other project or reason of an operator.
import type { TestResponse } from '../support/service';
import { startServersCloud, TENANT, WINDOWS } from './practice-cloud-servers';

const { ok, make, create, act } = startServersCloud('sqlite');

const SECRETS = ['cn1', 'cn2', 'cn3', 'atlantis', 'rack-7', 'warranty', 'rival'];
const ADMIN_OF_PROJECT = { as: 'admin:demo', version: '2.74' };

const disable = (host: string, reason: string): Promise<TestResponse> => {
  const body = { host, binary: 'nova-compute', disabled_reason: reason };
  return ok('os-services/disable-log-reason', { method: 'PUT', body });
};
const HOSTS = ['cn1', 'cn2', 'cn3'];

/** Everything that a tenant can read about its servers. */
async function readAsTenant(): Promise<string> {
  const { json, text } = await ok('servers/detail', { as: TENANT, version: '2.96' });
  const texts = [text];
  for (const { id } of json.servers as { id: string }[]) {
    const list = await ok(`servers/${id}/os-instance-actions`, { as: TENANT, version: '2.84' });
    texts.push(list.text);
    for (const { request_id: request } of list.json.instanceActions as { request_id: string }[])
      texts.push((await ok(`servers/${id}/os-instance-actions/${request}`, { as: TENANT, version: '2.84' })).text);
  }
  return texts.join('\n');
}

const CASES: Readonly<Record<string, () => Promise<unknown>>> = {
  'a forced host that does not exist': () => create({ availability_zone: 'nova:atlantis' }, ADMIN_OF_PROJECT),
  'a requested host that does not exist': () => create({ host: 'atlantis' }, ADMIN_OF_PROJECT),
  'a requested host that is full': () => create({ host: 'cn1', flavorRef: '9' }, ADMIN_OF_PROJECT),
  'a flavor for no host': () => create({ flavorRef: '9' }, { as: TENANT }),
  'an image for no host': () => create({ imageRef: WINDOWS }, { as: TENANT }),
  'a resize to a flavor for no host': async () =>
    act(await create({}, { as: TENANT }), { resize: { flavorRef: '9' } }, { as: TENANT }),
  'a rebuild that the host refuses': async () =>
    act(await create({}, { as: TENANT }), { rebuild: { imageRef: WINDOWS } }, { as: TENANT }),
  'a full group': async () => {
    const body = { server_group: { name: `g${Date.now()}`, policies: ['anti-affinity'] } };
    const { id: group } = (await ok('os-server-groups', { method: 'POST', as: TENANT, body })).json.server_group;
    for (let member = 0; member < 4; member += 1) await create({}, { as: TENANT }, { group });
  },
  'disabled hosts': async () => {
    for (const host of HOSTS) await disable(host, 'warranty of rival in rack-7');
    await create({}, { as: TENANT });
    const body = (host: string): object => ({ host, binary: 'nova-compute' });
    for (const host of HOSTS) await ok('os-services/enable', { method: 'PUT', body: body(host) });
  },
  'a zone that does not exist': () => make({ availability_zone: 'nowhere' }, { as: TENANT }),
};

it.each(Object.entries(CASES))('%s', async (_name, happens) => {
  const answer = await happens();
  const said = typeof answer === 'object' && answer !== null ? (answer as TestResponse).text : '';
  const read = `${said}\n${await readAsTenant()}`;
  expect(SECRETS.filter((secret) => read.includes(secret))).toEqual([]);
});

it('the administrator reads the reason', async () => {
  const id = await create({ availability_zone: 'nova:atlantis' }, ADMIN_OF_PROJECT);
  const { fault } = (await ok(`servers/${id}`)).json.server;
  expect(fault.message).toBe(
    'No valid host was found. There are not enough hosts available. The host that the request names does not exist or is not available.',
  );
  expect(fault.details).toContain('No such host - host: atlantis node: None Known hosts: cn1, cn2, cn3.');
});
