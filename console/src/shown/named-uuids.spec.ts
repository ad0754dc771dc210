import { withNames } from './uuid';

const HARBOUR = 'f236fa74-facf-4131-a22d-1e206a6090be';
const UNKNOWN = '00000000-0000-4000-8000-000000000001';

describe('aggregates by their names', () => {
  it('names those that are known, and leaves the others as they are', () => {
    const names = new Map([[HARBOUR, 'harbour']]);
    expect(withNames(`member_of=in:${HARBOUR.toUpperCase()},${UNKNOWN}`, names)).toBe(
      `member_of=in:harbour,${UNKNOWN}`,
    );
  });
});
