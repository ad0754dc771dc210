import { byName } from './by-name';

describe('names in lists', () => {
  it('stand as people count', () => {
    expect(['cn10', 'Cn2', 'cn1', 'dock'].sort(byName)).toEqual(['cn1', 'Cn2', 'cn10', 'dock']);
  });
});
