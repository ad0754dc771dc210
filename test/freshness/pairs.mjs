// Pairs of an acknowledged write through one process and a search through another one that must reflect it: for
// Placement's records and for the scheduler's registries.
import { randomUUID } from 'node:crypto';
import { allocationBody } from '../races/campaign.mjs';

/** Returns messages about stale data. */
export async function placementPair(writer, reader) {
  const resourceClass = `CUSTOM_${randomUUID().replaceAll('-', '').toUpperCase()}`;
  await writer.must(201, 'PUT', `/resource_classes/${resourceClass}`);
  const host = await writer.provider({ [resourceClass]: { total: 2 } });
  const search = () => reader.must(200, 'GET', `/allocation_candidates?resources=${resourceClass}:1`);
  const count = async () => (await search()).allocation_requests.length;
  const wrong = [];
  const expect = async (wanted, what) => {
    const got = await count();
    if (got !== wanted) wrong.push(`${what}: ${got} candidates instead of ${wanted}`);
  };
  await expect(1, 'inventory put');
  const consumer = randomUUID();
  await writer.must(204, 'PUT', `/allocations/${consumer}`, allocationBody({ [host]: { [resourceClass]: 2 } }, null));
  await expect(0, 'claimed');
  await writer.must(204, 'DELETE', `/allocations/${consumer}`);
  await expect(1, 'released');
  const { resource_provider_generation: generation } = await writer.must(
    200,
    'GET',
    `/resource_providers/${host}/inventories`,
  );
  await writer.must(200, 'PUT', `/resource_providers/${host}/traits`, {
    traits: ['MISC_SHARES_VIA_AGGREGATE'],
    resource_provider_generation: generation,
  });
  const required = await reader.must(
    200,
    'GET',
    `/allocation_candidates?resources=${resourceClass}:1&required=MISC_SHARES_VIA_AGGREGATE`,
  );
  if (required.allocation_requests.length !== 1) wrong.push('trait put: not found by it');
  await writer.must(204, 'DELETE', `/resource_providers/${host}`);
  await expect(0, 'provider deleted');
  return wrong;
}

const FLAVOR = { name: 'm1.small', vcpus: 1, memory_mb: 512, root_gb: 1 };
const REPORT = {
  vcpus_total: 4,
  vcpus_used: 0,
  memory_mb: 4096,
  free_ram_mb: 4096,
  local_gb: 100,
  free_disk_gb: 100,
  disk_available_least: 100,
  local_gb_used: 0,
  hypervisor: { type: 'QEMU', version: 8_002_000 },
  supported_instances: [['x86_64', 'kvm', 'hvm']],
  report_providers: true,
};

/** The same for a host: its report, the status of its service, its zone, the deletion of its flavor and of itself. */
export async function registryPair(writer, reader) {
  const host = `host-${randomUUID()}`;
  const at = `/scheduler/hosts/${host}/${host}`;
  const zone = `zone-${host}`;
  const wrong = [];
  const expect = async (wanted, what, body = {}) => {
    const document = {
      project_id: 'p',
      user_id: 'u',
      num_instances: 1,
      flavor: FLAVOR,
      requested_destination: { host },
      ...body,
    };
    const { outcome } = await reader.must(200, 'POST', '/scheduler/explain', document);
    const got = outcome === 'placed' || outcome === 'would_place';
    if (got !== wanted) wrong.push(`${what}: ${outcome}`);
  };
  await writer.must(201, 'PUT', at, REPORT);
  await expect(true, 'host reported');
  await writer.must(200, 'PATCH', `/scheduler/services/${host}`, { status: 'disabled' });
  await expect(false, 'service disabled');
  await writer.must(200, 'PATCH', `/scheduler/services/${host}`, { status: 'enabled' });
  await expect(true, 'service enabled');
  await expect(false, 'not in the zone yet', { availability_zone: zone });
  const aggregate = { name: zone, hosts: [host], availability_zone: zone };
  const { uuid } = await writer.must(201, 'POST', '/scheduler/host_aggregates', aggregate);
  await expect(true, 'put into the zone', { availability_zone: zone });
  await writer.must(204, 'DELETE', `/scheduler/host_aggregates/${uuid}/hosts/${host}`);
  await expect(false, 'taken out of the zone', { availability_zone: zone });
  await writer.must(204, 'DELETE', `/scheduler/host_aggregates/${uuid}`);
  const flavor = { ...FLAVOR, id: host, name: host };
  await writer.must(201, 'POST', '/scheduler/flavors', flavor);
  await expect(true, 'flavor made', { flavor: host });
  await writer.must(204, 'DELETE', `/scheduler/flavors/${host}`);
  await writer.must(204, 'DELETE', at);
  await reader.must(404, 'GET', at);
  return wrong;
}
