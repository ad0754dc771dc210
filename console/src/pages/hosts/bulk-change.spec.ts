import { previewOfBulk } from './bulk-change';

const row = (name: string, more: object = {}) => ({
  uuid: `u-${name}`,
  name,
  host: name as string | null,
  status: 'up' as const,
  host_aggregates: [],
  ...more,
});
const rows = [
  row('cn1'),
  row('cn2', { status: 'disabled' as const, host_aggregates: [{ uuid: 'a1', name: 'rack' }] }),
  row('pool', { host: null, status: 'sharing' as const }),
];
const names = (found: readonly { readonly name: string }[]): string[] => found.map(({ name }) => name);
const NONE: ReadonlySet<string> = new Set();

describe('a change of several hosts', () => {
  it.each([
    ['disable', '', ['cn1'], ['cn2'], ['pool']],
    ['enable', '', ['cn2'], ['cn1'], ['pool']],
    ['aggregate', 'a1', ['cn1'], ['cn2'], ['pool']],
    ['leave', 'a1', ['cn2'], ['cn1'], ['pool']],
  ] as const)('%s %s', (kind, value, changes, already, cannot) => {
    const preview = previewOfBulk(rows, kind, value, NONE);
    expect([names(preview.changes), names(preview.already), names(preview.cannot)]).toEqual([changes, already, cannot]);
  });

  it('sets a trait on every provider that does not have it', () => {
    const preview = previewOfBulk(rows, 'trait', 'CUSTOM_A', new Set(['u-cn1']));
    expect([names(preview.changes), names(preview.already)]).toEqual([['cn2', 'pool'], ['cn1']]);
    const removal = previewOfBulk(rows, 'untrait', 'CUSTOM_A', new Set(['u-cn1']));
    expect([names(removal.changes), names(removal.already)]).toEqual([['cn1'], ['cn2', 'pool']]);
  });
});
