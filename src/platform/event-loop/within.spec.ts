import { within } from './within';

const LONG_MS = 3_600_000;
const never = new Promise<string>(() => undefined);
const refuse = (): never => {
  throw new Error('too late');
};

describe('waiting with a timeout', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('returns the result if the work ends in time, and leaves no timer', async () => {
    await expect(within(LONG_MS, Promise.resolve('done'), refuse)).resolves.toBe('done');
    await expect(within(LONG_MS, Promise.reject(new Error('failed')), refuse)).rejects.toThrow('failed');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('returns or throws the result of `late` after the timeout', async () => {
    const answered = within(LONG_MS, never, () => 'late');
    const refused = expect(within(LONG_MS, never, refuse)).rejects.toThrow('too late');
    jest.advanceTimersByTime(LONG_MS);
    await expect(answered).resolves.toBe('late');
    await refused;
  });
});
