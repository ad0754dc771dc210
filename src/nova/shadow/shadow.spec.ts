import { DatabaseUnreadable } from '../../platform/database/foreign-mysql';
import type { Comparison } from './compare';
import type { DryDecisions } from './dry-decisions';
import { SHADOW_LIMITS } from './limits';
import type { LaterInstance, NewRequest, NewRequests, NovaChoice } from './new-requests';
import type { ShadowReport } from './shadow';
import { agreementLine, Shadow } from './shadow';

const SAME: Comparison = { verdict: 'same', nova: 'a', berth: 'a', reason: null };
const request = (uuid: string, problem: string | null = null): NewRequest => ({
  uuid,
  storedAt: '2026-11-28 06:00:00',
  spec: problem === null ? ({} as NewRequest['spec']) : null,
  problem,
});

class Nova implements Pick<NewRequests, 'next' | 'choices' | 'reconnect' | 'laterThan' | 'changedOn'> {
  later: readonly LaterInstance[] | undefined = [];
  requests: readonly NewRequest[] = [];
  known: readonly string[] = [];
  readonly failures: Error[] = [];

  reconnect(): Promise<void> {
    const failure = this.failures.shift();
    return failure === undefined ? Promise.resolve() : Promise.reject(failure);
  }

  next(): Promise<readonly NewRequest[]> {
    const { requests } = this;
    this.requests = [];
    return Promise.resolve(requests);
  }

  laterThan(): Promise<readonly LaterInstance[] | undefined> {
    return Promise.resolve(this.later);
  }

  changedOn(): Promise<number> {
    return Promise.resolve(0);
  }

  choices(uuids: readonly string[]): Promise<ReadonlyMap<string, NovaChoice>> {
    const choice: NovaChoice = {
      kind: 'host',
      host: 'a',
      node: 'a',
      isMoved: false,
      row: { cell: 1, id: 1, createdAt: '' },
    };
    return Promise.resolve(new Map(uuids.filter((uuid) => this.known.includes(uuid)).map((uuid) => [uuid, choice])));
  }
}

describe('the shadow', () => {
  let nova: Nova;
  let reports: ShadowReport[];
  let shadow: Shadow;

  beforeEach(() => {
    nova = new Nova();
    reports = [];
    const decisions: Pick<DryDecisions, 'comparisonOf'> = { comparisonOf: () => Promise.resolve(SAME) };
    shadow = new Shadow(nova, decisions, (report) => reports.push(report));
  });

  it('does not compare if it cannot leave out what came later', async () => {
    nova.requests = [request('one')];
    nova.known = ['one'];
    nova.later = undefined;
    await shadow.poll(0);
    expect(reports[0]?.comparison.reason).toBe('the instances that came after it cannot be read');
  });

  it('waits until nova has chosen a host, and reports each request once', async () => {
    nova.requests = [request('one'), request('two')];
    await shadow.poll(0);
    expect([reports.length, shadow.open]).toEqual([0, 2]);
    nova.known = ['one', 'two'];
    await shadow.poll(1);
    await shadow.poll(2);
    expect(reports.map(({ uuid }) => uuid)).toEqual(['one', 'two']);
    expect(shadow.counts.same).toBe(2);
  });

  it('does not compare a request that it cannot read', async () => {
    nova.requests = [request('one', 'no JSON')];
    nova.known = ['one'];
    await shadow.poll(0);
    expect(reports[0]?.comparison).toMatchObject({ verdict: 'not-comparable', reason: 'no JSON' });
  });

  it('gives up requests that stay without a host, and the oldest of too many', async () => {
    nova.requests = [request('late')];
    await shadow.poll(0);
    await shadow.poll(SHADOW_LIMITS.waitMs);
    expect(reports).toEqual([]);
    await shadow.poll(SHADOW_LIMITS.waitMs + 1);
    expect(reports.map(({ uuid }) => uuid)).toEqual(['late']);
    nova.requests = Array.from({ length: SHADOW_LIMITS.waiting + 1 }, (_, at) => request(String(at)));
    await shadow.poll(SHADOW_LIMITS.waitMs + 2);
    expect([reports[1]?.uuid, reports.length, shadow.open]).toEqual(['0', 2, SHADOW_LIMITS.waiting]);
  });

  it('tries again after a failure of the databases, and warns once', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    try {
      const warnings: string[] = [];
      const decisions: Pick<DryDecisions, 'comparisonOf'> = { comparisonOf: () => Promise.resolve(SAME) };
      const stopping = new AbortController();
      const stop = (found: ShadowReport): void => (reports.push(found), stopping.abort());
      nova.failures.push(new DatabaseUnreadable('down'), new DatabaseUnreadable('down'));
      nova.requests = [request('one')];
      nova.known = ['one'];
      const run = new Shadow(nova, decisions, stop, (text) => warnings.push(text)).run(stopping.signal);
      for (let at = 0; at < 3; at += 1) await jest.advanceTimersByTimeAsync(SHADOW_LIMITS.retryEveryMs);
      await run;
      expect(reports.map(({ uuid }) => uuid)).toEqual(['one']);
      expect(warnings).toEqual(["nova's databases cannot be read: down"]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('ends with another error', async () => {
    nova.failures.push(new Error('a fault of the program'));
    await expect(shadow.run(new AbortController().signal)).rejects.toThrow('a fault of the program');
  });

  it('ends with the signal', async () => {
    const stopping = new AbortController();
    const run = shadow.run(stopping.signal, 60_000);
    stopping.abort();
    await run;
  });
});

describe('the line of counts', () => {
  it.each([
    [
      { same: 8, equal: 1, different: 1, 'not-comparable': 5 },
      'same 8, equal 1, different 1, not-comparable 5, waiting 2: 90.0 % agree',
    ],
    [
      { same: 0, equal: 0, different: 0, 'not-comparable': 1 },
      'same 0, equal 0, different 0, not-comparable 1, waiting 2: nothing compared yet',
    ],
  ])('of %j', (counts, line) => {
    expect(agreementLine(counts, 2)).toBe(line);
  });
});
