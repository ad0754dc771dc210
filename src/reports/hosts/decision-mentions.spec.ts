import type { DecisionDocument } from '../../scheduler/decisions/decision.presenter';
import { mentionsIn } from './decision-mentions';

const rejected = (...hosts: readonly string[]): { hosts: { host: string; code: string; message: string }[] } => ({
  hosts: hosts.map((host) => ({ host, code: 'too_full', message: `${host} is too full` })),
});
const saidIn = (read: object): ReturnType<typeof mentionsIn> => mentionsIn(read as DecisionDocument);
const named = (...hosts: readonly string[]): { host: string }[] => hosts.map((host) => ({ host }));

it('keeps the best verdict on each host', () => {
  const said = saidIn({
    placement: { rejections: rejected('empty') },
    passes: [
      {
        stages: [{ name: 'RamFilter', rejections: rejected('full', 'second') }],
        ranking: named('first', 'other', 'spare'),
        selected: { host: 'first' },
        alternates: named('spare'),
      },
      {
        stages: [{ name: 'RamFilter', rejections: rejected('first') }],
        ranking: named('second'),
        selected: { host: 'second' },
        alternates: [],
      },
    ],
  });
  const plain = { by: null, code: null, message: null };
  expect(Object.fromEntries(said)).toEqual({
    empty: { verdict: 'rejected', by: 'placement', code: 'too_full', message: 'empty is too full' },
    full: { verdict: 'rejected', by: 'RamFilter', code: 'too_full', message: 'full is too full' },
    first: { verdict: 'selected', ...plain },
    second: { verdict: 'selected', ...plain },
    other: { verdict: 'passed', ...plain },
    spare: { verdict: 'alternate', ...plain },
  });
});

it('is empty if no host was judged', () => {
  expect(saidIn({ placement: null, passes: [] }).size).toBe(0);
  expect(saidIn({ placement: { rejections: null }, passes: [] }).size).toBe(0);
});
