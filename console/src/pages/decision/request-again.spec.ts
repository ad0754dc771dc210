import type { UnderstoodRequest } from './decision-document';
import { base64Url, requestAgain } from './request-again';

const REQUEST: UnderstoodRequest = {
  instances: ['00000000-0000-4000-8000-000000000001'],
  num_instances: 1,
  project_id: 'p',
  user_id: 'u',
  flavor: { name: 'm1', vcpus: 1, memory_mb: 1, root_gb: 1, ephemeral_gb: 0, swap: 0, extra_specs: {} },
  image: null,
  is_bfv: false,
  availability_zone: null,
  scheduler_hints: { group: ['web'], same_host: ['x'] },
  ignore_hosts: [],
  force_hosts: [],
  force_nodes: [],
  requested_destination: null,
  instance_group: null,
  requested_resources: [],
  request_level_params: { root_required: [], root_forbidden: [], same_subtree: [] },
  requested_networks: null,
  network_metadata: null,
  numa_topology: null,
  pci_requests: [],
  ignored: [{ field: 'x', why: 'y' }],
};

const group = { policy: 'affinity', rules: {}, members: ['m'], hosts: ['h'] } as const;

describe('the request of a decision, asked again', () => {
  it('names no instances and nothing that was said about it', () => {
    const body = requestAgain(REQUEST);
    expect(body).not.toHaveProperty('instances');
    expect(body).not.toHaveProperty('ignored');
    expect(body).toMatchObject({ num_instances: 1, scheduler_hints: { group: ['web'], same_host: ['x'] } });
  });

  it('names a registered group once, by its uuid', () => {
    const uuid = '00000000-0000-4000-8000-0000000000aa';
    const asked = { ...REQUEST, instance_group: { ...group, uuid, members: ['m'], hosts: ['h'] } };
    expect(requestAgain(asked)).toMatchObject({ instance_group: uuid, scheduler_hints: { same_host: ['x'] } });
  });

  it('gives a group that is not registered as it was', () => {
    const given = { ...group, uuid: null, members: ['m'], hosts: ['h'] };
    expect(requestAgain({ ...REQUEST, instance_group: given }).instance_group).toEqual(given);
  });

  it('fits into an address, whatever names are in it', () => {
    const text = JSON.stringify({ name: 'größe ✓ ???>>>' });
    const encoded = base64Url(text);
    expect(encoded).toMatch(/^[\w-]+$/);
    expect(Buffer.from(encoded, 'base64url').toString()).toBe(text);
  });
});
