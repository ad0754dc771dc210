import { runtimeWarning } from './runtime-warning';

describe('the warning about Node.js', () => {
  it.each([
    ['sqlite', 'v24.21.0'],
    ['sqlite', '26.0.0'],
  ] as const)('is logged with %s on %s', (database, version) => {
    expect(runtimeWarning(database, version)).toContain(version);
  });

  it.each([
    ['sqlite', 'v22.23.3'],
    ['sqlite', 'v20.20.2'],
    ['mysql', 'v24.21.0'],
  ] as const)('is not logged with %s on %s', (database, version) => {
    expect(runtimeWarning(database, version)).toBeUndefined();
  });
});
