// Counted conditions, and the opening of a refusal that follows from them.
import type { FailedCondition, Rejection, RequestGroup, ResourceRequest } from '../../placement/candidate-search';
import { conditionsOf } from '../../placement/candidate-search';
import { DISABLED_TRAIT } from '../../placement/domain/standard-traits';
import { runToCompletion } from '../../platform/values/task';
import type { ConditionSummary } from './condition-counts';
import { countConditions, countFilters } from './condition-counts';
import { openingOf } from './condition-words';
import type { HostRejection } from './run-filters';
import type { Wording } from './wording';
import { PLAIN_WORDING } from './wording';

const GOLD = '6f6d2a51-0000-4000-8000-000000000001';
const wording: Wording = {
  ...PLAIN_WORDING,
  originsOf: ({ name }) => (name === 'CUSTOM_X' ? ['the image'] : []),
  nameOf: (uuid) => (uuid === GOLD ? 'gold' : undefined),
};
const group = (given: Partial<RequestGroup> = {}): RequestGroup => ({
  suffix: '',
  resources: new Map([['VCPU', 4]]),
  requiredTraits: [['CUSTOM_X']],
  forbiddenTraits: ['CUSTOM_OLD'],
  memberOf: [[GOLD]],
  forbiddenAggregates: [],
  inTree: null,
  ...given,
});
const request: ResourceRequest = {
  groups: [
    group(),
    group({
      suffix: '_GPU',
      resources: new Map([['VGPU', 1]]),
      requiredTraits: [['A', 'B']],
      forbiddenTraits: [],
      memberOf: [],
    }),
  ],
  nestedAware: true,
  groupPolicy: 'isolate',
  sameSubtree: [],
  rootRequired: [],
  rootForbidden: [DISABLED_TRAIT],
  limit: null,
};
const conditions = conditionsOf(request);

type Failure = Pick<FailedCondition, 'stage' | 'code' | 'params'>;
const FAILURES: Readonly<Record<string, readonly [condition: string, failure: Failure]>> = {
  off: [
    `root_required=!${DISABLED_TRAIT}`,
    {
      stage: 'root',
      code: 'forbidden_trait',
      params: { trait: DISABLED_TRAIT, disabled_reason: 'maintenance', disabled_since: '2026-01-02T03:04:05Z' },
    },
  ],
  full: [
    'resources=VCPU:4',
    { stage: 'room', code: 'not_enough_left', params: { resource_class: 'VCPU', asked: 4, used: 6, capacity: 8 } },
  ],
  small: [
    'resources=VCPU:4',
    { stage: 'room', code: 'above_max_unit', params: { resource_class: 'VCPU', asked: 4, max_unit: 2, capacity: 8 } },
  ],
  noGpu: ['resources_GPU=VGPU:1', { stage: 'class', code: 'no_inventory', params: { resource_classes: ['VGPU'] } }],
  noX: ['required=CUSTOM_X', { stage: 'traits', code: 'missing_trait', params: { missing: ['CUSTOM_X'] } }],
  noAb: ['required_GPU=in:A,B', { stage: 'traits', code: 'missing_trait', params: { missing: ['in:A,B'] } }],
  old: ['required=!CUSTOM_OLD', { stage: 'traits', code: 'forbidden_trait', params: { present: ['CUSTOM_OLD'] } }],
  outside: [`member_of=in:${GOLD}`, { stage: 'aggregates', code: 'not_a_member', params: { member_of: [GOLD] } }],
};

/** One text per host: the conditions that it fails; `together`: none by itself. */
function counted(...hosts: readonly string[]): ConditionSummary {
  const failed = new Map<number, FailedCondition[]>();
  const rejections = hosts.map((text, id): Rejection => {
    const found = text.split(' ').flatMap((name): FailedCondition[] => {
      const [condition, failure] = FAILURES[name] ?? [];
      const at = conditions.findIndex((each) => each.text === condition);
      return failure === undefined ? [] : [{ at, group: conditions[at]?.group ?? null, ...failure }];
    });
    failed.set(id, found);
    const { stage, code, params } = found[0] ?? { stage: 'combine', code: 'rules_together', params: { rules: [] } };
    const isElsewhere = text === 'elsewhere';
    return {
      root: { id, uuid: `${id}`, name: `h${id}` },
      group: '',
      ...(isElsewhere ? { stage: 'in_tree', code: 'other_tree', params: {} } : { stage, code, params }),
    };
  });
  const further = { furtherOf: () => [], withFacts: (rejection: Rejection) => rejection };
  return runToCompletion(countConditions({ conditions, rejections, failed, ...further }, wording));
}

it.each<[string, readonly string[], string | null]>([
  ['no inventory', ['noGpu full', 'noGpu', 'noGpu'], 'no host has inventory of VGPU (request group _GPU)'],
  ['too little free', ['full', 'full noGpu'], 'no host has room for 4 VCPU (6 used of 8)'],
  ['too small an inventory', ['small', 'small'], 'no host can ever hold 4 VCPU (max_unit 2)'],
  ['too little free or too small', ['full', 'small'], 'no host has room for 4 VCPU'],
  ['a trait', ['noX', 'noX full'], 'no host has trait CUSTOM_X, required by the image'],
  ['one of two traits', ['noAb', 'noAb'], 'no host has one of traits A, B (request group _GPU)'],
  ['a forbidden trait', ['old', 'old'], 'both hosts (h0, h1) have trait CUSTOM_OLD, which is forbidden'],
  ['an aggregate', ['outside', 'outside'], 'no host is in host aggregate gold'],
  [
    'disabled hosts',
    ['off', 'off', 'off', 'off'],
    'all 4 hosts are disabled (maintenance, since 2026-01-02T03:04:05Z)',
  ],
  [
    'two conditions that no host satisfies',
    ['noGpu noX', 'noX noGpu full'],
    'no host has inventory of VGPU (request group _GPU); no host has trait CUSTOM_X, required by the image',
  ],
  [
    'two conditions together',
    ['noX', 'noX full', 'full', 'off full'],
    'no host has room for 4 VCPU (1 of 4 hosts), and also has trait CUSTOM_X (2 of 4 hosts), required by the image',
  ],
  [
    'three conditions together',
    ['noX', 'off', 'old'],
    'no host has trait CUSTOM_X (2 of 3 hosts), required by the image, and also is enabled (2 of 3 hosts), and also is ' +
      'without trait CUSTOM_OLD (2 of 3 hosts), which is forbidden',
  ],
  ['hosts that satisfy each condition', ['together', 'together'], null],
  ['one such host among others', ['noX', 'together'], null],
  [
    'hosts that the request excludes are not counted',
    ['elsewhere', 'noX'],
    'no host has trait CUSTOM_X, required by the image',
  ],
])('the cause is %s', (_, hosts, expected) =>
  expect(openingOf(counted(...hosts), wording)?.text ?? null).toBe(expected),
);

it('counts a host under every condition that it fails, and once under each', () => {
  const { hosts, counts } = counted('noX full', 'full', 'small noX old');
  expect(hosts).toBe(3);
  expect(counts.map(({ condition, satisfied, failed }) => [condition, satisfied, failed])).toEqual(
    [
      ['required=CUSTOM_X', 1, 2],
      ['resources=VCPU:4', 0, 3],
      ['required=!CUSTOM_OLD', 2, 1],
    ].sort(([, , one], [, , other]) => Number(other) - Number(one)),
  );
});

const rejected = (host: string, actual: number): HostRejection => ({
  host,
  node: host,
  code: 'busy',
  params: { actual },
  message: `host runs ${actual}`,
});

it.each<[string, readonly (readonly [string, readonly string[], readonly string[]])[], string | null]>([
  [
    'the filter that no host passes',
    [
      ['A', ['a'], []],
      ['B', ['b'], ['a']],
    ],
    'no host passes B: host runs 1',
  ],
  [
    'two filters that no host passes together',
    [
      ['A', ['a'], []],
      ['B', ['b'], []],
    ],
    'no host passes A (1 of 2 hosts), and also passes B (1 of 2 hosts)',
  ],
  ['nothing if a host passes all', [['A', ['a'], []]], null],
])('of filters, the cause is %s', (_, stages, expected) => {
  const judged = stages.map(([name, first, also]) => ({
    name,
    rejected: first.map((host) => rejected(host, 1)),
    alsoRejects: also.map((host) => rejected(host, 1)),
  }));
  const summary = runToCompletion(countFilters({ hosts: 2, stages: judged }, PLAIN_WORDING));
  expect(openingOf(summary, PLAIN_WORDING)?.text ?? null).toBe(expected);
});
