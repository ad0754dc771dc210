import type { Json } from './captured.fixture';
import { AGGREGATE, INSTANCE, novaObject, PASSWORD } from './captured.fixture';
import {
  deletedAggregateOf,
  deletedInstanceOf,
  syncedInstancesOf,
  updatedAggregatesOf,
  updatedInstancesOf,
} from './cast-views';

const READ = {
  id: 1,
  uuid: 'e6504f71-5889-42f4-a196-324cc3b1f1d4',
  name: 'agg-one',
  hosts: ['compute1'],
  metadata: { availability_zone: 'zone-one' },
};

it.each([
  ['a list', [AGGREGATE]],
  ['one aggregate', AGGREGATE],
  ['a list object', novaObject('AggregateList', '1.3', { objects: [AGGREGATE] })],
])('reads updated aggregates from %s', (_, aggregates) => expect(updatedAggregatesOf({ aggregates })).toEqual([READ]));

it('reads a deleted aggregate', () => expect(deletedAggregateOf({ aggregate: AGGREGATE })).toEqual(READ));

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
  ['no object', () => updatedAggregatesOf({ aggregates: ['one'] }), 'aggregates'],
])('refuses %s and names the argument', (_, read, message) => expect(read).toThrow(message));
