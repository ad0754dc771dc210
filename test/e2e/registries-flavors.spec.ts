// Flavors and images over HTTP: documents, filters, warnings, and refusals without changes.
import { testDatabaseKinds } from '../support/databases';
import { refusal, startRegistries, TIME, UUID } from './registries-service';
import { tableDump } from './registries-tables';

describe.each(testDatabaseKinds())('on %s', (kind) => {
  const { service, ask, ok, refusesField, name } = startRegistries(kind);

  describe('flavors', () => {
    const SMALL = { vcpus: 1, memory_mb: 512 };

    it('are created, changed and deleted', async () => {
      const [id, called] = [name('id'), name('flavor')];
      const { json, status } = await ask('POST', 'flavors', {
        id,
        name: called,
        ...SMALL,
        root_gb: 10,
        ephemeral_gb: 1,
        swap: 256,
        extra_specs: { 'hw:cpu_policy': 'dedicated', 'resources:VGPU': 1, 'trait:HW_CPU_X86_AVX': 'required' },
      });
      expect([status, json]).toEqual([
        201,
        {
          id,
          name: called,
          ...SMALL,
          root_gb: 10,
          ephemeral_gb: 1,
          swap: 256,
          generation: 0,
          warnings: [
            { field: 'extra_specs.hw:cpu_policy', why: expect.stringContaining('NUMATopologyFilter is not enabled') },
          ],
          extra_specs: { 'hw:cpu_policy': 'dedicated', 'resources:VGPU': '1', 'trait:HW_CPU_X86_AVX': 'required' },
          created_at: expect.stringMatching(TIME),
          updated_at: null,
        },
      ]);
      const merged = await ok('PATCH', `flavors/${id}/extra_specs`, {
        extra_specs: { 'resources:VGPU': null, 'hw:cpu_policy': 'shared' },
      });
      expect(merged.json).toMatchObject({
        extra_specs: { 'hw:cpu_policy': 'shared', 'trait:HW_CPU_X86_AVX': 'required' },
        generation: 1,
      });
      expect((await ok('PATCH', `flavors/${id}`, { vcpus: 4, generation: 1 })).json).toMatchObject({
        name: called,
        vcpus: 4,
        memory_mb: 512,
        root_gb: 10,
        generation: 2,
      });
      expect((await ok('PUT', `flavors/${id}`, { name: called, ...SMALL, generation: 2 })).json).toMatchObject({
        vcpus: 1,
        root_gb: 0,
        extra_specs: {},
        generation: 3,
      });
      await ok('DELETE', `flavors/${id}`);
      expect(await ask('GET', `flavors/${id}`)).toMatchObject(refusal(404, 'scheduler.not_found'));
    });

    it('get an id if none is given, and are listed by name and size', async () => {
      const called = name('flavor');
      const { json } = await ok('POST', 'flavors', { name: called, vcpus: 1, memory_mb: 999_999, root_gb: 77_777 });
      expect(json.id).toMatch(UUID);
      for (const filter of [`name=${called}`, 'min_ram=999999', 'min_disk=77777']) {
        expect((await ok('GET', `flavors?${filter}`)).json.flavors).toMatchObject([{ name: called }]);
      }
      expect((await ok('GET', 'flavors?min_ram=1000000')).json.flavors).toEqual([]);
    });

    it.each<[string, object]>([
      ['name', SMALL],
      ['vcpus', { name: 'f', memory_mb: 1 }],
      ['memory_mb', { name: 'f', vcpus: 1, memory_mb: -1 }],
      ['swap', { name: 'f', ...SMALL, swap: 0.5 }],
      ['is_public', { name: 'f', ...SMALL, is_public: true }],
      ['extra_specs', { name: 'f', ...SMALL, extra_specs: { a: { b: 'c' } } }],
      ['extra_specs.resources:GPU', { name: 'f', ...SMALL, extra_specs: { 'resources:GPU': 1 } }],
      ['extra_specs.resources:VCPU', { name: 'f', ...SMALL, extra_specs: { 'resources:VCPU': 'many' } }],
      ['extra_specs.trait:CUSTOM_X', { name: 'f', ...SMALL, extra_specs: { 'trait:CUSTOM_X': 'wanted' } }],
      ['extra_specs.trait_GPU', { name: 'f', ...SMALL, extra_specs: { 'trait_GPU:CUSTOM_X': 'required' } }],
      ['extra_specs.group_policy', { name: 'f', ...SMALL, extra_specs: { group_policy: 'near' } }],
      ['extra_specs.pci_passthrough:alias', { name: 'f', ...SMALL, extra_specs: { 'pci_passthrough:alias': 'nic:1' } }],
      ['extra_specs.hw:cpu_policy', { name: 'f', ...SMALL, extra_specs: { 'hw:cpu_policy': 'exclusive' } }],
      ['extra_specs.capabilities:x', { name: 'f', ...SMALL, extra_specs: { 'capabilities:x': '<or>' } }],
    ])('refuse %s by field', async (field, body) => {
      const before = await tableDump(service().database);
      for (const [method, path] of [
        ['POST', 'flavors'],
        ['PUT', 'flavors/new'],
      ] as const) {
        const answer = await ask(method, path, body);
        expect(answer).toMatchObject(refusal(400, 'scheduler.invalid_request'));
        expect(answer.json.errors[0].detail).toContain(`'${field}`);
      }
      expect(await tableDump(service().database)).toEqual(before);
    });

    it('stay valid after a merge', async () => {
      const { json } = await ok('POST', 'flavors', { name: name('flavor'), ...SMALL });
      const answer = await ask('PATCH', `flavors/${json.id}/extra_specs`, { extra_specs: { 'resources:GPU': 1 } });
      expect(answer).toMatchObject(refusal(400, 'scheduler.invalid_request'));
      expect((await ok('GET', `flavors/${json.id}`)).json).toMatchObject({ extra_specs: {}, generation: 0 });
    });

    it('warn of probable mistakes, and of names that do not exist yet', async () => {
      const extra_specs = { colour: 'blue', 'resources:CUSTOM_LATER': 1, 'trait:CUSTOM_LATER': 'required' };
      const { json } = await ok('POST', 'flavors', { name: name('flavor'), ...SMALL, extra_specs });
      expect(json.warnings.map(({ field }: { field: string }) => field).sort()).toEqual([
        'extra_specs.colour',
        'extra_specs.resources:CUSTOM_LATER',
        'extra_specs.trait:CUSTOM_LATER',
      ]);
    });
  });

  describe('images', () => {
    it('are created, changed and deleted', async () => {
      const { json, status } = await ask('POST', 'images', {
        name: 'cirros',
        disk_format: 'qcow2',
        properties: { hw_architecture: 'x86_64', os_type: 'linux' },
      });
      expect([status, json]).toEqual([
        201,
        {
          uuid: expect.stringMatching(UUID),
          name: 'cirros',
          disk_format: 'qcow2',
          generation: 0,
          warnings: [],
          properties: { hw_architecture: 'x86_64', os_type: 'linux' },
          created_at: expect.stringMatching(TIME),
          updated_at: null,
        },
      ]);
      const path = `images/${json.uuid}`;
      const patched = await ok('PATCH', path, { name: null, properties: { os_type: null, hw_vm_mode: 'hvm' } });
      expect(patched.json).toMatchObject({
        name: null,
        disk_format: 'qcow2',
        generation: 1,
        properties: { hw_architecture: 'x86_64', hw_vm_mode: 'hvm' },
      });
      expect((await ok('PUT', path, { generation: 1 })).json).toMatchObject({
        name: null,
        disk_format: null,
        properties: {},
        generation: 2,
      });
      await ok('DELETE', path);
      expect(await ask('GET', path)).toMatchObject(refusal(404, 'scheduler.not_found'));
    });

    it('can share a name, and are listed by it', async () => {
      const called = name('image');
      for (const disk_format of ['raw', 'qcow2']) await ok('POST', 'images', { name: called, disk_format });
      expect((await ok('GET', `images?name=${called}`)).json.images).toHaveLength(2);
      expect((await ok('GET', `images?name=${called}&disk_format=raw`)).json.images).toHaveLength(1);
    });

    it.each<[string, object]>([
      ['uuid', { uuid: 'x' }],
      ['disk_format', { disk_format: '' }],
      ['format', { format: 'raw' }],
      ['properties.a', { properties: { a: [] } }],
      ['properties.trait:CUSTOM_X', { properties: { 'trait:CUSTOM_X': 'wanted' } }],
      ['properties.hw_cpu_policy', { properties: { hw_cpu_policy: 'exclusive' } }],
    ])('refuse %s by field', async (field, body) => {
      await refusesField(field, 'POST', 'images', body);
    });
  });
});
