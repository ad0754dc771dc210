import { validDocument } from '../http/dto-body.decorator';
import { SelectDestinationsDto } from './scheduler.schema';

const FLAVOR = { vcpus: 1, memory_mb: 512 };
const REQUEST = { num_instances: 1, flavor: FLAVOR, project_id: 'p', user_id: 'u' };
const UUID = '0f5ca3f2-5b0c-4c4c-9c1d-6b9d2f1e7a11';
const check = (body: object): SelectDestinationsDto => validDocument(SelectDestinationsDto, body);

describe('the request document', () => {
  it.each<[string, object]>([
    ['the least one can say', REQUEST],
    ['instances by uuid', { ...REQUEST, num_instances: undefined, instances: [UUID] }],
    ['an image', { ...REQUEST, image: { disk_format: 'raw', properties: { hw_x: 'y', n: 1 } } }],
    ['no image', { ...REQUEST, image: null }],
    ['extra specs', { ...REQUEST, flavor: { ...FLAVOR, extra_specs: { 'resources:VGPU': 1, 'trait:X': 'required' } } }],
    ['hints', { ...REQUEST, scheduler_hints: { different_host: [UUID], rack: 'r1' } }],
    ['a seed', { ...REQUEST, seed: 4294967295, explain: 'all', dry_run: true, return_alternates: false }],
    // Refused later, with words of their own.
    ['a flavor by name', { ...REQUEST, flavor: 'm1.small' }],
    ['a field that is known and not supported', { ...REQUEST, force_hosts: ['h'], retry: { num_attempts: 1 } }],
  ])('may hold %s', (_, body) => expect(() => check(body)).not.toThrow());

  it.each<[string, object]>([
    ['colour', { ...REQUEST, colour: 'blue' }],
    ['flavor.colour', { ...REQUEST, flavor: { ...FLAVOR, colour: 'blue' } }],
    ['image.colour', { ...REQUEST, image: { colour: 'blue' } }],
    ['request_level_params.colour', { ...REQUEST, request_level_params: { colour: [] } }],
    ['flavor', { ...REQUEST, flavor: undefined }],
    ['flavor', { ...REQUEST, flavor: null }],
    ['flavor', { ...REQUEST, flavor: [] }],
    ['flavor.vcpus', { ...REQUEST, flavor: { memory_mb: 1 } }],
    ['flavor.vcpus', { ...REQUEST, flavor: { ...FLAVOR, vcpus: -1 } }],
    ['flavor.memory_mb', { ...REQUEST, flavor: { ...FLAVOR, memory_mb: 1.5 } }],
    ['flavor.extra_specs', { ...REQUEST, flavor: { ...FLAVOR, extra_specs: { a: ['b'] } } }],
    ['image', { ...REQUEST, image: 7 }],
    ['image.properties', { ...REQUEST, image: { properties: { a: null } } }],
    ['project_id', { ...REQUEST, project_id: undefined }],
    ['user_id', { ...REQUEST, user_id: '' }],
    ['num_instances', { ...REQUEST, num_instances: 0 }],
    ['num_instances', { ...REQUEST, num_instances: 10_001 }],
    ['instances', { ...REQUEST, instances: [] }],
    ['instances', { ...REQUEST, instances: ['not-a-uuid'] }],
    ['ignore_hosts', { ...REQUEST, ignore_hosts: [1] }],
    ['request_level_params.same_subtree', { ...REQUEST, request_level_params: { same_subtree: ['a'] } }],
    ['explain', { ...REQUEST, explain: 'everything' }],
    ['seed', { ...REQUEST, seed: 4294967296 }],
    ['seed', { ...REQUEST, seed: -1 }],
  ])('is refused at %s', (path, body) => expect(() => check(body)).toThrow(`JSON does not validate: ${path}: `));
});
