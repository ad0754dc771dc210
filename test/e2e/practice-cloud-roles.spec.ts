// Who can act on a server of its project: administrators all, members what nova lets them do, readers nothing.
import { alternativesOf } from '../../src/platform/http/dto-rules';
import { ServerActionBody } from '../../src/practice-cloud/compute/servers/servers.schema';
import type { TestRequest } from '../support/service';
import { stateOf } from './access-requests';
import { IMAGE, startServersCloud, TENANT } from './practice-cloud-servers';

type Who = 'member' | 'admin';

/** The actions, each with the least role that nova asks for, and its arguments. */
const ACTIONS: Readonly<Record<keyof ServerActionBody, readonly [least: Who, given: unknown]>> = {
  resize: ['member', { flavorRef: '2' }],
  confirmResize: ['member', null],
  revertResize: ['member', null],
  migrate: ['admin', null],
  'os-migrateLive': ['admin', { host: null, block_migration: 'auto' }],
  evacuate: ['admin', {}],
  shelve: ['member', null],
  shelveOffload: ['admin', null],
  unshelve: ['member', null],
  rebuild: ['member', { imageRef: IMAGE }],
  reboot: ['member', { type: 'SOFT' }],
  'os-start': ['member', null],
  'os-stop': ['member', null],
  pause: ['member', null],
  unpause: ['member', null],
  suspend: ['member', null],
  resume: ['member', null],
  lock: ['member', null],
  unlock: ['member', null],
  'os-resetState': ['admin', { state: 'active' }],
  forceDelete: ['member', null],
  'os-getConsoleOutput': ['member', {}],
  'os-getVNCConsole': ['member', { type: 'novnc' }],
  'os-getSPICEConsole': ['member', { type: 'spice-html5' }],
  'os-getRDPConsole': ['member', { type: 'rdp-html5' }],
  'os-getSerialConsole': ['member', { type: 'serial' }],
};

const { service, ok, create } = startServersCloud('sqlite');

const statusAs = async (roles: string, request: TestRequest): Promise<number> => {
  const headers = { 'x-auth-token': TENANT, 'x-roles': roles, 'openstack-api-version': 'compute 2.91' };
  return (await service().request({ version: null, ...request, headers })).status;
};
const ROLES: Readonly<Record<Who, string>> = { member: 'member,reader', admin: 'admin,manager,member,reader' };
const isAdmitted = (status: number): boolean => status !== 403 && status < 500;

it.each(Object.entries(ACTIONS))('%s', async (name, [least, given]) => {
  const id = await create({}, { as: TENANT });
  const action: TestRequest = {
    method: 'POST',
    path: `/compute/v2.1/servers/${id}/action`,
    body: { [name]: given },
  };
  const before = await stateOf(service().database);
  expect(await statusAs('reader', action)).toBe(403);
  if (least === 'admin') expect(await statusAs(ROLES.member, action)).toBe(403);
  expect(await stateOf(service().database)).toBe(before);
  expect(isAdmitted(await statusAs(ROLES[least], action))).toBe(true);
});

it('are all actions of the API', () => {
  expect(Object.keys(ACTIONS).sort()).toEqual([...alternativesOf(ServerActionBody).keys()].sort());
});

it('are for members of the project of the user, and a reader reads', async () => {
  const id = await create({}, { as: TENANT });
  const at = `/compute/v2.1/servers/${id}`;
  const image = '/image/v2/images';
  const writes: readonly TestRequest[] = [
    { method: 'POST', path: '/compute/v2.1/servers', body: { server: { name: 'x', flavorRef: '1', imageRef: IMAGE } } },
    { method: 'PUT', path: at, body: { server: { name: 'x' } } },
    { method: 'PUT', path: `${at}/metadata`, body: { metadata: {} } },
    { method: 'POST', path: `${at}/metadata`, body: { metadata: { a: 'b' } } },
    { method: 'DELETE', path: `${at}/metadata/a` },
    { method: 'POST', path: `${at}/remote-consoles`, body: { remote_console: { type: 'novnc', protocol: 'vnc' } } },
    {
      method: 'POST',
      path: '/compute/v2.1/os-server-groups',
      body: { server_group: { name: 'g', policy: 'affinity' } },
    },
    { method: 'DELETE', path: '/compute/v2.1/os-server-groups/77777777-0000-4000-8000-000000000001' },
    { method: 'POST', path: image, body: { name: 'i' } },
    { method: 'PUT', path: `${image}/${IMAGE}/tags/a` },
    { method: 'DELETE', path: at },
  ];
  const reads = ['servers', 'servers/detail', `servers/${id}`, 'flavors', 'os-server-groups', 'limits', 'os-keypairs'];
  for (const path of reads)
    expect([path, await statusAs('reader', { path: `/compute/v2.1/${path}` })]).toEqual([path, 200]);
  const before = await stateOf(service().database);
  for (const write of writes)
    expect([write.method, write.path, await statusAs('reader', write)]).toEqual([write.method, write.path, 403]);
  expect(await stateOf(service().database)).toBe(before);
  const refused: string[] = [];
  for (const write of writes)
    if (!isAdmitted(await statusAs(ROLES.member, write))) refused.push(`${write.method} ${write.path}`);
  // The public image belongs to no project.
  expect(refused).toEqual([`PUT ${image}/${IMAGE}/tags/a`]);
  expect((await ok('servers?all_tenants=1')).json.servers).toHaveLength(1);
});
