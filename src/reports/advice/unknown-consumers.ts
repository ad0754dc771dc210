// Consumers of type INSTANCE that Berth did not place and no host report lists. Their allocations block capacity until
// the operator deletes them.
import type { Advice } from './advice';
import { adviceOf, command, counted } from './advice';

export function unknownConsumers(uuids: readonly string[], isCut: boolean): readonly Advice[] {
  if (uuids.length === 0) return [];
  return [
    adviceOf({
      kind: 'unknown_consumer',
      severity: 'warning',
      sentence:
        `${isCut ? 'At least ' : ''}${counted(uuids.length, 'consumer')} of type INSTANCE ` +
        `${uuids.length === 1 ? 'holds' : 'hold'} allocations although Berth placed no such instance and no host reports ` +
        `one. If no cloud has them, delete them.`,
      subjects: uuids.map((uuid) => ({ kind: 'consumer', id: uuid, name: uuid })),
      commands: uuids.map((uuid) => command('openstack', 'resource', 'provider', 'allocation', 'delete', uuid)),
    }),
  ];
}
