// Options of nova that the check before the switch names.
import { checkConfiguration } from './configuration-check';

const CONF = { warnings: [], scheduler: {}, rabbit: {}, transportUrl: 'rabbit://nova:secret@h:5672/' };

it.each<[string, object, RegExp | null]>([
  ['nothing without a reason', {}, null],
  ['the queue manager', { rabbit: { use_queue_manager: 'True' } }, /use_queue_manager has no effect/],
  ['the queue manager of the address', { transportUrl: 'rabbit://h/?use_queue_manager=1' }, /use_queue_manager/],
  [
    'no queue manager that the address turns off',
    { rabbit: { use_queue_manager: 'true' }, transportUrl: 'rabbit://h/?ssl=1&use_queue_manager=false' },
    null,
  ],
  [
    'routed networks',
    { scheduler: { scheduler: { query_placement_for_routed_network_aggregates: true } } },
    /query_placement_for_routed_network_aggregates has no effect/,
  ],
  ['a warning of the configuration', { warnings: ['unknown option'] }, /^unknown option$/],
])('names %s', (_what, change, expected) => {
  const findings = checkConfiguration({ ...CONF, ...change });
  expect(findings.map(({ severity, subject }) => `${severity} ${subject}`)).toEqual(
    expected === null ? [] : ['warning configuration'],
  );
  if (expected !== null) expect(findings[0]?.text).toMatch(expected);
});
