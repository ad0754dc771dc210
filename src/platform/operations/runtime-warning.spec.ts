import { runtimeWarning } from './runtime-warning';

describe('the warning about Node.js', () => {
  it.each(['v27.0.1', 'v25.1.0', 'v23.0.0'])('is logged on %s', (version) => {
    expect(runtimeWarning(version)).toContain(version);
  });

  it.each(['v20.20.2', 'v22.23.3', 'v24.21.0', '26.12.1'])('is not logged on %s', (version) => {
    expect(runtimeWarning(version)).toBeUndefined();
  });
});
