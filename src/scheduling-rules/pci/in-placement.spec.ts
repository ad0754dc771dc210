import type { RequestGroup } from '../../placement/candidate-search';
import type { PciRequest } from '../request-spec/pci-pool';
import { groupsInPlacement } from './in-placement';

const GPU = { vendor_id: '10de', product_id: '1eb8' };
const request = (given: Partial<PciRequest> = {}): PciRequest => ({
  requestId: null,
  aliasName: 'gpu',
  count: 1,
  alternatives: [GPU],
  numaPolicy: null,
  ...given,
});
const group = (suffix: string): RequestGroup => ({
  suffix,
  resources: new Map([['VGPU', 1]]),
  requiredTraits: [],
  forbiddenTraits: [],
  memberOf: [],
  forbiddenAggregates: [],
  inTree: null,
});

/** Ids are `id1`, `id2`, …; a group is listed as its suffix, its resources and its traits. */
function inPlacement(requests: readonly PciRequest[], given: readonly RequestGroup[] = []): readonly unknown[] {
  let ids = 0;
  const { requestedResources } = groupsInPlacement(requests, given, () => `id${(ids += 1)}`);
  return requestedResources.map(({ suffix, resources, requiredTraits }) => [
    suffix,
    Object.fromEntries(resources),
    requiredTraits.flat(),
  ]);
}

describe('PCI requests in Placement', () => {
  it('become one request group per device, named after the request', () => {
    const requests = [request({ count: 2 }), request({ alternatives: [{ vendor_id: '8086', product_id: 'ABcd' }] })];
    expect(inPlacement(requests)).toEqual([
      ['id1-0', { CUSTOM_PCI_10DE_1EB8: 1 }, []],
      ['id1-1', { CUSTOM_PCI_10DE_1EB8: 1 }, []],
      ['id2-0', { CUSTOM_PCI_8086_ABCD: 1 }, []],
    ]);
    expect(groupsInPlacement(requests, [], () => 'id').pciRequests.map(({ requestId }) => requestId)).toEqual([
      'id',
      'id',
    ]);
  });

  it('keep the id that they have, and come after the groups given', () =>
    expect(inPlacement([request({ requestId: 'r' })], [group('port')]).map((named) => (named as string[])[0])).toEqual([
      'port',
      'r-0',
    ]));

  it('whose groups the request gives itself are left alone', () => {
    const given = [group('r-0')];
    const answer = groupsInPlacement([request({ requestId: 'r', count: 2 })], given, () => 'id');
    expect(answer.requestedResources).toEqual(given);
  });

  it('of ports are left alone', () => expect(inPlacement([request({ aliasName: null, requestId: 'r' })])).toEqual([]));

  it.each<[string, Readonly<Record<string, string>>, string, readonly string[]]>([
    ['a standard class', { resource_class: 'vgpu' }, 'VGPU', []],
    ['a custom class', { ...GPU, resource_class: 'custom_gpu__2' }, 'CUSTOM_GPU__2', []],
    ['any other name', { resource_class: 'my gpu--v2' }, 'CUSTOM_MY_GPU_V2', []],
    [
      'traits',
      { ...GPU, traits: 'HW_GPU_API_VULKAN,custom_a,big-one' },
      'CUSTOM_PCI_10DE_1EB8',
      ['HW_GPU_API_VULKAN', 'CUSTOM_A', 'CUSTOM_BIG_ONE'],
    ],
    ['no traits', { ...GPU, traits: '' }, 'CUSTOM_PCI_10DE_1EB8', []],
  ])('ask for %s', (_, wanted, resourceClass, traits) =>
    expect(inPlacement([request({ alternatives: [wanted] })])).toEqual([['id1-0', { [resourceClass]: 1 }, traits]]),
  );

  it.each<[string, PciRequest['alternatives'], string]>([
    ['alternatives', [GPU, GPU], 'names alternatives, which cannot be one request to Placement'],
    ['no product', [{ vendor_id: '10de' }], 'must name vendor_id and product_id, or resource_class'],
    ['no vendor', [{ product_id: '10de' }], 'must name vendor_id and product_id, or resource_class'],
  ])('are refused with %s', (_, alternatives, why) =>
    expect(() => inPlacement([request(), request({ alternatives })])).toThrow(`'pci_requests.1.spec' ${why}`),
  );
});
