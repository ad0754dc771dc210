import { within } from './within';

const LONG_MS = 3_600_000;
const never = new Promise<string>(() => undefined);
const refuse = (): never => {
  throw new Error('too late');
};

describe('what is waited for so long at most', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is what the work comes to, in time, and no timer is left', async () => {
    await expect(within(LONG_MS, Promise.resolve('done'), refuse)).resolves.toBe('done');
    await expect(within(LONG_MS, Promise.reject(new Error('failed')), refuse)).rejects.toThrow('failed');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is what the late answer or refusal says, when the time is over', async () => {
    const answered = within(LONG_MS, never, () => 'late');
    const refused = expect(within(LONG_MS, never, refuse)).rejects.toThrow('too late');
    jest.advanceTimersByTime(LONG_MS);
    await expect(answered).resolves.toBe('late');
    await refused;
  });
});
