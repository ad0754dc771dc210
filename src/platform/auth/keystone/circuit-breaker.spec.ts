import { CircuitBreaker } from './circuit-breaker';

describe('the circuit breaker', () => {
  let now = 0;
  const open = () => new CircuitBreaker({ failuresInRow: 3, pauseMs: 100, pauseMsMax: 300 }, () => now);
  const shut = () => {
    const breaker = open();
    for (let count = 0; count < 3; count += 1) breaker.failed();
    return breaker;
  };
  beforeEach(() => {
    now = 1_000;
  });

  it('lets everything pass below its number of failures in a row', () => {
    const breaker = open();
    breaker.failed();
    breaker.failed();
    breaker.succeeded();
    breaker.failed();
    breaker.failed();
    expect([breaker.isClosed, breaker.admit(), breaker.waitMs]).toEqual([true, true, 0]);
  });

  it('lets nothing pass in the pause', () => {
    const breaker = shut();
    now += 99;
    expect([breaker.isClosed, breaker.admit(), breaker.waitMs]).toEqual([false, false, 1]);
  });

  it('sends one probe after the pause, and no second one in parallel', () => {
    const breaker = shut();
    now += 100;
    expect([breaker.admit(), breaker.admit(), breaker.waitMs]).toEqual([true, false, 100]);
  });

  it('lets everything pass once that one was answered', () => {
    const breaker = shut();
    now += 100;
    breaker.admit();
    breaker.succeeded();
    expect([breaker.isClosed, breaker.admit(), breaker.admit()]).toEqual([true, true, true]);
  });

  it('pauses twice as long when it was not, up to the longest', () => {
    const breaker = shut();
    const waits = [100, 200, 300, 300].map((pause) => {
      const wait = breaker.waitMs;
      now += pause;
      breaker.admit();
      breaker.failed();
      return wait;
    });
    expect(waits).toEqual([100, 200, 300, 300]);
  });

  it('does not pause longer for questions that had been asked before', () => {
    const breaker = shut();
    now += 50;
    breaker.failed();
    breaker.failed();
    expect(breaker.waitMs).toBe(50);
  });

  it('pauses at once for the requested time', () => {
    const breaker = open();
    breaker.failed(5_000);
    expect([breaker.isClosed, breaker.waitMs]).toEqual([false, 5_000]);
  });
});
