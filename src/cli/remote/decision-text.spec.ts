import type { Schema } from '../../../client/src/routes.ts';
import { presentDecision } from '../../scheduler/decisions/decision.presenter';
import { decideOn, FixtureCloud } from '../../scheduler/scheduler.fixture';
import { decisionText } from './decision-text';

const stored = async (count: number): Promise<Schema<'Decision'>> => {
  const cloud = new FixtureCloud([1, 2, 3, 4].map((at) => ({ name: `cn${at}`, instances: [], vcpus: 2 })));
  const { decision } = await decideOn(cloud, {
    body: { num_instances: count, ignore_hosts: ['cn2', 'cn3', 'cn4'] },
    options: { enabledFilters: ['NumInstancesFilter', 'DifferentHostFilter'] },
  });
  return presentDecision(decision, { level: 'first', listsMax: 1 }) as unknown as Schema<'Decision'>;
};

describe('a decision as text', () => {
  it('counts all rejected hosts, also those that the stored document does not list', async () => {
    const text = decisionText(await stored(1));
    expect(text).toMatch(/^3 +preselection\.\S+ +.* cn\d, …$/m);
  });

  it('counts hosts at each step, not candidates', async () => {
    const document = await stored(1);
    const text = decisionText({
      ...document,
      placement: document.placement && { ...document.placement, candidates: 9 },
    });
    expect(text).toMatch(/^Placement +- +4\npreselection +4 +1$/m);
  });

  it('warns of what the request asks and no part obeys', async () => {
    const document = await stored(1);
    document.request?.ignored.push({ field: 'flavor.extra_specs.hw:cpu_policy', why: 'is not obeyed' });
    expect(decisionText(document)).toMatch(/\n\nWarning: flavor\.extra_specs\.hw:cpu_policy: is not obeyed\.\n$/);
  });

  it('is about the instance that found no host', async () => {
    const document = { ...(await stored(2)), outcome: 'no_valid_host' as const };
    expect(decisionText(document)).toContain('Steps of instance 2:');
  });
});
