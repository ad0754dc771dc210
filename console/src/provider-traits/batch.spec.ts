import type { ChangeOne, Outcome, Target } from './batch';
import { leftOf, pastedNames, previewOf, runBatch, undoAll } from './batch';

const target = (name: string): Target => ({ uuid: `uuid of ${name}`, name });
const [a, b, c] = [target('a'), target('b'), target('c')];
const undo = (): Promise<undefined> => Promise.resolve(undefined);
const failed = (error: unknown): Outcome => ({ kind: 'failed', message: String(error) });

describe('the preview of a change on many providers', () => {
  it('separates providers that get the trait from those that have it', () => {
    expect(previewOf([a, b, c], new Set([b.uuid]), 'set')).toEqual({ changes: [a, c], already: [b], cannot: [] });
  });

  it('separates providers that lose the trait from those without it', () => {
    expect(previewOf([a, b, c], new Set([b.uuid]), 'unset')).toEqual({ changes: [b], already: [a, c], cannot: [] });
  });

  it('takes what is named twice once', () => {
    expect(previewOf([a, b, { ...a }], new Set(), 'set').changes).toHaveLength(2);
  });

  it('reads names however they were pasted', () => {
    expect(pastedNames('cn1, cn2;cn3\n\tcn1 \r\ncn4')).toEqual(['cn1', 'cn2', 'cn3', 'cn4']);
    expect(pastedNames(' \n ')).toEqual([]);
  });
});

describe('the tally of a change', () => {
  it('leaves those to be done that were not tried, or in vain', () => {
    const outcomes = new Map<string, Outcome>([
      [a.uuid, { kind: 'done' }],
      [b.uuid, { kind: 'failed', message: 'overtaken' }],
    ]);
    expect(leftOf([a, b, c], outcomes)).toEqual([b, c]);
  });
});

describe('a change on many providers', () => {
  const run = async (change: ChangeOne, { stopAfter = Infinity }: { readonly stopAfter?: number } = {}) => {
    const outcomes: [string, Outcome][] = [];
    const end = new AbortController();
    const note = ({ name }: Target, outcome: Outcome): void => {
      outcomes.push([name, outcome]);
      if (outcomes.length >= stopAfter) end.abort();
    };
    return { ended: await runBatch([a, b, c], change, failed, note, end.signal), outcomes, end };
  };

  it('goes on after one that fails, and says which', async () => {
    const { ended, outcomes } = await run(({ name }) =>
      name === 'b' ? Promise.reject(new Error('no')) : Promise.resolve(undo),
    );
    expect(ended).toBe('finished');
    expect(outcomes).toEqual([
      ['a', { kind: 'done' }],
      ['b', { kind: 'failed', message: 'Error: no' }],
      ['c', { kind: 'done' }],
    ]);
  });

  it('has one on its way at a time', async () => {
    let running = 0;
    let most = 0;
    await run(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return undo;
    });
    expect(most).toBe(1);
  });

  it('begins none after it was stopped', async () => {
    const tried: string[] = [];
    const { ended, outcomes } = await run(
      ({ name }) => {
        tried.push(name);
        return Promise.resolve(undo);
      },
      { stopAfter: 2 },
    );
    expect(ended).toBe('stopped');
    expect([tried, outcomes.map(([name]) => name)]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  it('leaves the one untried that the stop cut off', async () => {
    const end = new AbortController();
    const outcomes: string[] = [];
    const ended = await runBatch(
      [a, b],
      () => {
        end.abort();
        return Promise.reject(new Error('aborted'));
      },
      failed,
      ({ name }) => outcomes.push(name),
      end.signal,
    );
    expect([ended, outcomes]).toEqual(['stopped', []]);
  });
});

describe('the undo of a change on many providers', () => {
  it('reverts the last one first, goes on after a failure, and says how many stay changed', async () => {
    const reverted: string[] = [];
    const revert = (name: string, error?: Error) => (): Promise<void> => {
      reverted.push(name);
      return error === undefined ? Promise.resolve() : Promise.reject(error);
    };
    await expect(undoAll([revert('a'), revert('b', new Error('meddled')), revert('c')])).rejects.toThrow(
      '1 of 3 stay changed. The first reason: meddled',
    );
    expect(reverted).toEqual(['c', 'b', 'a']);
    await undoAll([revert('a')]);
  });
});
