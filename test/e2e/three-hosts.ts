// The small cloud of the scenarios of prefilters and separated hosts: three hosts in a fixed order.
import type { TestDatabaseKind } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { explain, select } from './scheduler-cloud';
import type { Operator } from './scheduler-operator';
import { operatorOf } from './scheduler-operator';

/** The host with the most memory is the best, so the order of hosts is fixed. */
const BY_MEMORY = { BERTH_FILTER_SCHEDULER__WEIGHT_CLASSES: 'RAMWeigher' };
/** The additions of a prefilter that adds nothing. */
export const NOTHING_ADDED = {
  root_required: [],
  root_forbidden: [],
  member_of: [],
  forbidden_aggregates: [],
  groups: {},
};

export interface Cloud {
  readonly operator: Operator;
  select(body?: object): Promise<TestResponse>;
  explain(body?: object): Promise<TestResponse>;
}

/** A service for each describe block, with hosts alpha, beta and gamma, the first being the best. */
export function withCloud(kind: TestDatabaseKind, env: Record<string, string>): Cloud {
  const cloud: { service?: TestService; operator?: Operator } = {};
  beforeAll(async () => {
    cloud.service = await startTestService(kind, { env: { ...BY_MEMORY, ...env } });
    cloud.operator = operatorOf(cloud.service);
  });
  afterAll(() => cloud.service?.stop());
  beforeEach(async () => {
    await cloud.operator?.report('alpha', 16_384);
    await cloud.operator?.report('beta', 8_192);
    await cloud.operator?.report('gamma', 4_096);
  });
  afterEach(() => cloud.operator?.clear());
  return {
    get operator() {
      return cloud.operator as Operator;
    },
    // With the reason of every host, including those of Placement.
    select: (body = {}) => select(cloud.service as TestService, { explain: 'all', ...body }),
    explain: (body = {}) => explain(cloud.service as TestService, body),
  };
}
