// Hosts whose status trait differs from the state of their compute service: Placement and the service say different
// things, and the trait decides where instances go.
import { DISABLED_TRAIT } from '../../placement/domain/standard-traits';
import type { CloudHost } from '../../scheduler/cloud/cloud-host';
import type { Advice } from './advice';
import { adviceOf, command, counted } from './advice';

export function statusTraits(hosts: readonly CloudHost[]): readonly Advice[] {
  const differing = hosts.flatMap(({ tree: { root }, known: { service, reported } }) => {
    if (service === null || reported === null || root.traits.has(DISABLED_TRAIT) === service.disabled) return [];
    return [{ id: root.uuid, name: reported.service.host, isDisabled: service.disabled }];
  });
  const [first] = differing;
  if (first === undefined) return [];
  const example = first.isDisabled
    ? `The service of ${first.name} is disabled, and its provider does not have ${DISABLED_TRAIT}`
    : `The service of ${first.name} is enabled, and its provider has ${DISABLED_TRAIT}`;
  return [
    adviceOf({
      kind: 'status_trait',
      severity: 'warning',
      sentence: `${example}${differing.length > 1 ? `; ${counted(differing.length - 1, 'more host')} differ` : ''}.`,
      subjects: differing.map(({ id, name }) => ({ kind: 'host', id, name })),
      // Also sets the trait if the status does not change.
      commands: differing.map(({ name, isDisabled }) => command('berth', isDisabled ? 'disable' : 'enable', name)),
    }),
  ];
}
