import type { Json } from './captured.fixture';
import { INSTANCE, novaObject, PASSWORD } from './captured.fixture';
import { deletedInstanceOf, syncedInstancesOf, updatedInstancesOf } from './cast-views';

const HOST = { host_name: 'compute1' };
const instances = (data: Json): Json =>
  novaObject('InstanceList', '2.6', { objects: [novaObject('Instance', '2.8', data)] });

it.each([
  [
    'update',
    updatedInstancesOf({ ...HOST, instance_info: instances({ uuid: INSTANCE, host: 'compute1', key_data: PASSWORD }) }),
  ],
  ['delete', deletedInstanceOf({ ...HOST, instance_uuid: INSTANCE })],
  ['sync', syncedInstancesOf({ ...HOST, instance_uuids: [INSTANCE] })],
])('reads the instances of a host: %s', (_, read) => {
  expect(read).toEqual({ host: 'compute1', instanceUuids: [INSTANCE] });
});

it.each([
  ['no host', () => deletedInstanceOf({ instance_uuid: INSTANCE }), 'host_name'],
  ['no list', () => syncedInstancesOf({ ...HOST, instance_uuids: INSTANCE }), 'instance_uuids'],
  ['no uuid', () => updatedInstancesOf({ ...HOST, instance_info: instances({ host: 'h' }) }), 'instance_info.uuid'],
  ['no object', () => updatedInstancesOf({ ...HOST, instance_info: ['one'] }), 'instance_info'],
])('refuses %s and names the argument', (_, read, message) => expect(read).toThrow(message));
