// The log lines of a decision and their levels.
import type { FixtureHost } from '../scheduler.fixture';
import { decideOn, FixtureCloud } from '../scheduler.fixture';
import { decisionLines } from './decision-lines';

const FILTERS = ['NumInstancesFilter', 'ComputeFilter'];
const busy: FixtureHost = { name: 'busy', state: { numInstances: 60 } };
const free: FixtureHost = { name: 'free' };
const down: FixtureHost = {
  name: 'down',
  state: {
    service: { disabled: true, disabledReason: 'repair', forcedDown: false, lastSeenUpMs: null, createdAtMs: 0 },
  },
};

async function linesOf(hosts: readonly FixtureHost[], isDebug: boolean, isQuestion = false): Promise<string[]> {
  const given = { options: { enabledFilters: FILTERS } };
  const { decision, refusal } = await decideOn(new FixtureCloud(hosts), given);
  return [...decisionLines(decision, refusal, { isDebug, isQuestion })].map(
    ({ level, message }) => `${level}: ${message}`,
  );
}

const REFUSED =
  'No valid host was found. 0 of 2 hosts fit: closest: busy fails only NumInstancesFilter (host runs 60 instances; the ' +
  'limit is 50), down is only disabled (repair).';

it.each<[string, readonly FixtureHost[], boolean, boolean, string[]]>([
  ['nothing of a placement for which no filter removed a host', [free], false, false, []],
  [
    'the filter that removed hosts of a placement',
    [busy, free],
    false,
    false,
    ['info: Filter NumInstancesFilter returned 1 host(s)'],
  ],
  [
    'the filter that removed the last host',
    [busy],
    false,
    false,
    [expect.stringContaining('returned 0'), expect.any(String)],
  ],
  [
    'the filters that removed hosts, and the sentence of a refusal',
    [busy, down],
    false,
    false,
    [
      'info: Filter NumInstancesFilter returned 1 host(s)',
      'info: Filter ComputeFilter returned 0 host(s)',
      `info: ${REFUSED}`,
    ],
  ],
  [
    'at level debug the filters that all hosts passed',
    [busy, free],
    true,
    false,
    [
      'info: Filter NumInstancesFilter returned 1 host(s)',
      'debug: Filter ComputeFilter returned 1 host(s)',
      expect.stringMatching(/^debug: Placed 1 instance: .* on free\.$/),
    ],
  ],
  ['nothing of a question', [busy, down], false, true, []],
  [
    'of a question at level debug only',
    [busy],
    true,
    true,
    [expect.stringMatching(/^debug: Filter/), expect.stringMatching(/^debug: No valid host/)],
  ],
])('logs %s', async (_, hosts, isDebug, isQuestion, expected) => {
  expect(await linesOf(hosts, isDebug, isQuestion)).toEqual(expected);
});
