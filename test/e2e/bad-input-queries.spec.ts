// Queries and paths that violate the contract get a clear 4xx, change nothing, and have the same answer on every database.
import {
  CANDIDATES,
  CONSUMER,
  consumerBody,
  describeBadInput,
  HOST,
  LONG,
  PROVIDERS,
  UNKNOWN_UUID,
} from './bad-input-world';

/** Queries that must be refused, and the text that the refusal must contain. */
const BAD_QUERIES: readonly (readonly [path: string, named?: string | undefined, version?: string])[] = [
  ...[PROVIDERS, '/traits', '/usages?project_id=p', `${CANDIDATES}?resources=VCPU:1`].flatMap((path) => {
    const sign = path.includes('?') ? '&' : '?';
    return ['surprise', '__proto__', 'constructor', 'limit%00'].map(
      (name) => [`${path}${sign}${name}=1`, decodeURIComponent(name)] as const,
    );
  }),
  ...['uuid', 'in_tree'].flatMap((name) =>
    ['', 'x', HOST.slice(1), `${HOST}%0A`, `%20${HOST}`, '%00', LONG].map(
      (value) => [`${PROVIDERS}?${name}=${value}`, name] as const,
    ),
  ),
  ...[PROVIDERS + '?', `${CANDIDATES}?resources=VCPU:1&`].flatMap((path) =>
    [
      '',
      'x',
      `${HOST},${UNKNOWN_UUID}`,
      'in:',
      'in:x',
      '!',
      '!in:',
      `!${HOST},${UNKNOWN_UUID}`,
      `in:${HOST},,${UNKNOWN_UUID}`,
    ].map((value) => [`${path}member_of=${value}`, 'member_of'] as const),
  ),
  ...[PROVIDERS, CANDIDATES].flatMap((path) =>
    [
      '',
      'VCPU',
      'VCPU:',
      ':1',
      'VCPU:0',
      'VCPU:-1',
      'VCPU:1.5',
      'VCPU:x',
      'VCPU:1:2',
      'VCPU:1,',
      ',VCPU:1',
      'VCPU:1e3',
      'VCPU:0x10',
      'VCPU:%001',
    ].map((value) => [`${path}?resources=${value}`] as const),
  ),
  ...[PROVIDERS, CANDIDATES].flatMap((path) =>
    ['NOPE:1', 'vcpu:1', 'VCPU%0A:1', '%F0%9F%90%8E:1', 'CUSTOM_%00:1'].map(
      (value) => [`${path}?resources=${value}`] as const,
    ),
  ),
  ...[PROVIDERS + '?', `${CANDIDATES}?resources=VCPU:1&`].flatMap((path) =>
    ['', ',', '!', 'NOPE', 'HW_CPU_X86_AVX,', 'in:', 'in:!HW_CPU_X86_AVX', 'hw_cpu_x86_avx', 'HW_CPU_X86_AVX%00'].map(
      (value) => [`${path}required=${value}`] as const,
    ),
  ),
  [`${PROVIDERS}?member_of=${HOST}`, 'member_of', '1.2'],
  [`${PROVIDERS}?resources=VCPU:1`, 'resources', '1.3'],
  [`${PROVIDERS}?in_tree=${HOST}`, 'in_tree', '1.13'],
  [`${PROVIDERS}?required=HW_CPU_X86_AVX`, 'required', '1.17'],
  [`${PROVIDERS}?required=!HW_CPU_X86_AVX`, undefined, '1.21'],
  [`${PROVIDERS}?member_of=!${HOST}`, undefined, '1.31'],
  [`${PROVIDERS}?required=in:HW_CPU_X86_AVX`, undefined, '1.38'],
  ['/traits?name=foo', 'name'],
  ['/traits?name=foo:bar', 'name'],
  ['/traits?name=', 'name'],
  ['/traits?associated=maybe', 'associated'],
  ['/traits?associated=', 'associated'],
  ['/usages', 'project_id'],
  ['/usages?project_id=', 'project_id'],
  [`/usages?project_id=${'p'.repeat(256)}`, 'project_id'],
  ['/usages?project_id=p&user_id=', 'user_id'],
  [`/usages?project_id=p&user_id=${LONG}`, 'user_id'],
  ...['', 'instance', 'allfoo', 'unknownx', 'INSTANCE%0A', 'A'.repeat(256)].map(
    (value) => [`/usages?project_id=p&consumer_type=${value}`, 'consumer_type'] as const,
  ),
  ['/usages?project_id=p&consumer_type=INSTANCE', 'consumer_type', '1.37'],
  [CANDIDATES],
  ...['', '0', '-1', 'abc', '1.5', '1e3', '%201', '1%0A'].map(
    (value) => [`${CANDIDATES}?resources=VCPU:1&limit=${value}`, 'limit'] as const,
  ),
  [`${CANDIDATES}?resources=VCPU:1&limit=abc&limit=1`],
  ...['', 'both', 'NONE', 'none%0A'].map(
    (value) => [`${CANDIDATES}?resources1=VCPU:1&resources2=VCPU:1&group_policy=${value}`, 'group_policy'] as const,
  ),
  [`${CANDIDATES}?resources1=VCPU:1&resources2=VCPU:1`],
  ...['', 'x', LONG, `${HOST}%00`, `${HOST},${HOST}`].map(
    (value) => [`${CANDIDATES}?resources=VCPU:1&in_tree=${value}`] as const,
  ),
  ...['', 'NOPE', 'HW_CPU_X86_AVX,', 'in:HW_CPU_X86_AVX', 'HW_CPU_X86_AVX,!HW_CPU_X86_AVX'].map(
    (value) => [`${CANDIDATES}?resources=VCPU:1&root_required=${value}`] as const,
  ),
  [`${CANDIDATES}?resources=VCPU:1&root_required=HW_CPU_X86_AVX&root_required=HW_CPU_X86_SSE`],
  ...['', ',', '_NOPE', '_NOPE,_A'].map((value) => [`${CANDIDATES}?resources_A=VCPU:1&same_subtree=${value}`] as const),
  [`${CANDIDATES}?resources=VCPU:1&resources%2B=VCPU:1`],
  [`${CANDIDATES}?resources=VCPU:1&resources${'A'.repeat(65)}=VCPU:1`],
  [`${CANDIDATES}?resources=VCPU:1&resources_A=VCPU:1`, 'resources_A', '1.32'],
  [`${PROVIDERS}?name=%FF`],
  [`${PROVIDERS}?name=%C0%AF`],
  [`${PROVIDERS}?name=%ED%A0%80`],
  [`${PROVIDERS}?%FF=1`],
  ['/usages?project_id=%F0%9F%90'],
  ['/traits?name=in:%FF'],
  [`${CANDIDATES}?resources=VCPU:1&required=%FF`],
];

/** Paths of no resource; the answer is one of these. */
const BAD_PATHS: readonly (readonly [method: 'GET' | 'PUT' | 'DELETE', path: string, ...statuses: number[]])[] = [
  ['GET', '/traits/%ZZ', 404],
  ['GET', '/traits/%', 404],
  ['PUT', '/traits/CUSTOM_%', 400],
  ['GET', '/traits/%FF', 400],
  ['PUT', '/traits/CUSTOM_%FF', 400],
  ['PUT', '/traits/CUSTOM_A%0A', 400],
  ['PUT', '/traits/CUSTOM_A%00', 400],
  ['PUT', '/traits/CUSTOM_%F0%9F%90%8E', 400],
  ['PUT', `/traits/CUSTOM_${'A'.repeat(249)}`, 400],
  ['PUT', `/traits/CUSTOM_${'A'.repeat(5_000)}`, 400, 404, 414],
  ['PUT', '/traits/', 404],
  ['GET', '/traits/HW_CPU_X86_AVX%0A', 404],
  ['GET', '/traits/hw_cpu_x86_avx', 404],
  ['DELETE', '/traits/CUSTOM_A%00', 404],
  ['PUT', '/resource_classes/CUSTOM_A%0A', 400],
  ['PUT', '/resource_classes/custom_a', 400],
  ['GET', '/resource_classes/VCPU%0A', 404],
  ['GET', '/resource_classes/vcpu', 404],
  ['DELETE', '/resource_classes/VCPU%20', 404],
  ['GET', '/resource_providers/x', 404],
  ['GET', `/resource_providers/${HOST}%0A`, 404],
  ['GET', `/resource_providers/${HOST}%00`, 404],
  ['GET', `/resource_providers/${LONG}`, 404, 414],
  ['GET', '/resource_providers/%FF', 400],
  ['DELETE', '/resource_providers/x', 404],
  ['GET', '/resource_providers/x/inventories', 404],
  ['GET', `/resource_providers/${HOST}/inventories/VCPU%0A`, 404],
  ['GET', `/resource_providers/${HOST}/inventories/NOPE`, 404],
  ['DELETE', `/resource_providers/${HOST}/inventories/%00`, 404],
  ['DELETE', `/allocations/x`, 404],
  ['DELETE', `/allocations/${'-'.repeat(36)}`, 404],
  ['GET', '/nowhere', 404],
  ['GET', '/resource_providers/', 404],
  ['GET', `/${'x'.repeat(70_000)}`, 414],
  ['GET', `${PROVIDERS}?name=${'x'.repeat(70_000)}`, 414],
];

describeBadInput(180, ({ ok, complaint, nothingChanges }) => {
  beforeAll(() => ok({ method: 'PUT', path: `/allocations/${CONSUMER}`, body: consumerBody() }));

  it('queries that violate the contract are refused', async () => {
    await nothingChanges(async () => {
      const complaints: string[] = [];
      for (const [path, named, version = '1.39'] of BAD_QUERIES) {
        complaints.push(...(await complaint(`${version} ${path}`, { path, version }, { statuses: [400], named })));
      }
      return complaints;
    });
  });

  it('paths of no resource are refused', async () => {
    await nothingChanges(async () => {
      const complaints: string[] = [];
      for (const [method, path, ...statuses] of BAD_PATHS) {
        complaints.push(...(await complaint(`${method} ${path}`, { method, path }, { statuses })));
      }
      return complaints;
    });
  });
});
