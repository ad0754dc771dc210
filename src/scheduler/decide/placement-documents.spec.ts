import { flavorBody } from '../../compute/flavors/flavors.responses';
import { requestSpec } from '../../scheduling-rules/pipeline/pipeline.fixture';
import type { SelectDestinationsDto } from '../request/request.schema';
import { imageBody, placementDocuments } from './placement-documents';

const IMAGE = { id: 'i', name: 'cirros', diskFormat: 'qcow2', properties: { os_type: 'linux' } };
const BODY: SelectDestinationsDto = {
  num_instances: 3,
  min_count: 2,
  flavor: 'm1',
  image: 'cirros',
  project_id: 'p',
  user_id: 'u',
  scheduler_hints: { group: 'g' },
  ignore_hosts: ['a'],
};
const COMMAND = { requestId: 'req', body: BODY, dryRun: false, explains: 'empty' } as const;
const FOUND = { flavor: null, image: null, group: null, flavorId: '42', imageUuid: 'uuid' };

it('the stored request names this instance only, with its original flavor and image', () => {
  const spec = requestSpec({ image: IMAGE, isBfv: true });
  const tried = [{ host: 'h', node: 'n', uuid: 'u', cell: null }];
  const body = { ...BODY, instance_names: { [spec.instanceUuid]: 'web-1', other: 'web-2' } };
  const documents = placementDocuments(spec, { command: { ...COMMAND, body, attempts: 2, tried }, found: FOUND });
  expect(documents).toEqual({
    requestId: 'req',
    name: 'web-1',
    flavorId: '42',
    imageUuid: 'uuid',
    isBfv: true,
    attempts: 2,
    tried,
    flavor: flavorBody(spec.flavor),
    image: imageBody(IMAGE),
    request: {
      project_id: 'p',
      user_id: 'u',
      scheduler_hints: { group: 'g' },
      ignore_hosts: ['a'],
      flavor: flavorBody(spec.flavor),
      image: imageBody(IMAGE),
    },
  });
  expect(JSON.parse(JSON.stringify(documents))).toEqual(documents);
});

it('without an image none is stored', () => {
  expect(placementDocuments(requestSpec(), { command: COMMAND, found: FOUND })).toMatchObject({
    image: null,
    request: { image: null },
  });
});

it('flavors and images are stored in their wire format', () => {
  expect(flavorBody(requestSpec().flavor)).toEqual({
    name: null,
    vcpus: 2,
    memory_mb: 2048,
    root_gb: 20,
    ephemeral_gb: 5,
    swap: 1025,
    extra_specs: {},
  });
  expect(imageBody(IMAGE)).toEqual({ id: 'i', name: 'cirros', disk_format: 'qcow2', properties: { os_type: 'linux' } });
});
