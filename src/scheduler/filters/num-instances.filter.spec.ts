import { hostInAggregates, hostState, requestSpec, verdictOf } from '../pipeline/pipeline.fixture';
import { numInstancesFilter } from './num-instances.filter';

describe('NumInstancesFilter', () => {
  it.each([
    [0, 50, 'pass'],
    [49, 50, 'pass'],
    [50, 50, 'host runs 50 instances; the limit is 50'],
    [51, 50, 'host runs 51 instances; the limit is 50'],
    [0, 1, 'pass'],
    [1, 1, 'host runs 1 instances; the limit is 1'],
  ])('%i instances against a limit of %i: %s', (numInstances, limit, verdict) => {
    const values = { filter_scheduler: { max_instances_per_host: limit } };
    expect(verdictOf(numInstancesFilter, hostState({ numInstances }), requestSpec(), values)).toBe(verdict);
  });

  it('allows 50 instances where nothing is configured', () => {
    expect(verdictOf(numInstancesFilter, hostState({ numInstances: 49 }), requestSpec())).toBe('pass');
    expect(verdictOf(numInstancesFilter, hostState({ numInstances: 50 }), requestSpec())).not.toBe('pass');
  });

  it('leaves aggregate metadata to its aggregate variant', () => {
    const host = { ...hostInAggregates('h', { max_instances_per_host: '1' }), numInstances: 5 };
    expect(verdictOf(numInstancesFilter, host, requestSpec())).toBe('pass');
  });
});
