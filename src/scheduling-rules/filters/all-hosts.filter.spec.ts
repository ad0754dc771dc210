import { hostState, requestSpec, verdictOf } from '../pipeline/pipeline.fixture';
import { allHostsFilter } from './all-hosts.filter';

describe('AllHostsFilter', () => {
  it('passes a host that every other filter would reject', () => {
    const service = { disabled: true, disabledReason: null, forcedDown: true, lastSeenUpMs: null, createdAtMs: 0 };
    expect(verdictOf(allHostsFilter, hostState({ service, freeRamMb: -1 }), requestSpec())).toBe('pass');
  });

  it('declares no rejection and looks at no host', () => {
    expect(allHostsFilter.rejections).toEqual({});
    expect(allHostsFilter.applies(requestSpec(), {})).toBe(false);
  });
});
