import { runToCompletion } from '../../platform/values/task';
import { bind } from './bind';
import { defineFilter } from './define-filter';
import { hostState, requestSpec, TEST_ENVIRONMENT } from './pipeline.fixture';
import type { FilterRunResult } from './run-filters';
import { filterTask } from './run-filters';
import { renderTemplate } from './verdict';

const rejecting = (name: string, hosts: readonly string[], once = false): ReturnType<typeof defineFilter> =>
  defineFilter({
    name,
    summary: '',
    once,
    rejections: { no: 'not {host}' },
    check: ({ host }, _spec, { pass, reject }) => (hosts.includes(host) ? reject('no', { host }) : pass),
  });
const hosts = ['a', 'b', 'c'].map((host) => hostState({ host }));

const run = (
  filters: readonly ReturnType<typeof defineFilter>[],
  index = 0,
  mode: 'first' | 'all' = 'first',
): FilterRunResult =>
  runToCompletion(
    filterTask({
      hosts,
      spec: requestSpec(),
      filters: filters.map((filter) => bind(filter, {})),
      index,
      mode,
      env: TEST_ENVIRONMENT,
    }),
  );
const counts = ({ stages }: FilterRunResult): unknown[] => stages.map((stage) => [stage.in, stage.out, stage.skipped]);

describe('filters', () => {
  it('each receive the hosts that passed the previous filter', () => {
    const result = run([rejecting('F', ['a']), rejecting('G', ['a', 'b'])]);
    expect(result.survivors.map(({ host }) => host)).toEqual(['c']);
    expect(counts(result)).toEqual([
      [3, 2, false],
      [2, 1, false],
    ]);
    expect(result.stages[1]?.rejected).toEqual([
      { host: 'b', node: 'b', code: 'no', params: { host: 'b' }, message: 'not b' },
    ]);
  });

  it('are not asked once no host is left', () => {
    expect(counts(run([rejecting('F', ['a', 'b', 'c']), rejecting('G', [])]))).toEqual([
      [3, 0, false],
      [0, 0, true],
    ]);
  });

  it('that run once are skipped after the first instance', () => {
    expect(counts(run([rejecting('F', ['a'], true)], 1))).toEqual([[3, 3, true]]);
  });

  it('in mode all check every host, without effect on the survivors', () => {
    const filters = [rejecting('F', ['a', 'b', 'c']), rejecting('G', ['b'])];
    const all = run(filters, 0, 'all');
    expect(all.survivors).toEqual(run(filters).survivors);
    expect(all.stages[1]).toMatchObject({ in: 0, out: 0, rejected: [], alsoRejects: [{ host: 'b', code: 'no' }] });
  });

  it('that throw reject that host and no other, with the cause', () => {
    const broken = defineFilter({
      name: 'Broken',
      summary: '',
      rejections: {},
      check: ({ host }, _spec, { pass }) => {
        if (host === 'b') throw new Error('not a number\nand more');
        return pass;
      },
    });
    const result = run([broken]);
    expect(result.survivors.map(({ host }) => host)).toEqual(['a', 'c']);
    expect(result.stages[0]?.rejected).toMatchObject([
      { host: 'b', code: 'filter_error', message: 'the filter failed on this host: not a number' },
    ]);
  });

  it('that answer no verdict reject the host instead of letting it pass', () => {
    const careless = defineFilter({ name: 'Careless', summary: '', rejections: {}, check: () => true as never });
    expect(run([careless]).stages[0]?.rejected).toHaveLength(3);
  });

  it('cannot reject with a code they did not declare', () => {
    const undeclared = defineFilter({
      name: 'Undeclared',
      summary: '',
      rejections: { known: '' },
      // @ts-expect-error: an undeclared code does not compile.
      check: (_host, _spec, { reject }) => reject('unknown'),
    });
    expect(run([undeclared]).stages[0]?.rejected[0]).toMatchObject({
      code: 'filter_error',
      params: { cause: "rejection code 'unknown' is not declared" },
    });
  });

  it('get options of the declared types', () => {
    const filter = defineFilter({
      name: 'Typed',
      summary: '',
      options: { limit: { kind: 'integer', default: 2 }, on: { kind: 'boolean', default: true } },
      rejections: { no: '' },
      check: (_host, _spec, { options, pass, reject }) => {
        const limit: number = options.limit;
        const isOn: boolean = options.on;
        // @ts-expect-error: an undeclared option does not compile.
        const missing: unknown = options.missing;
        return limit === 2 && isOn && missing === undefined ? pass : reject('no');
      },
    });
    expect(run([filter]).survivors).toHaveLength(3);
  });
});

describe('sentences', () => {
  it.each([
    ['{a} of {b}', { a: 1, b: 'x' }, '1 of x'],
    ['{list}', { list: ['p', 'q'] }, 'p, q'],
    ['{none}', { none: null }, 'null'],
    ['{missing}', {}, '{missing}'],
    ['{constructor}', {}, '{constructor}'],
  ])('%s', (template, params, expected) => expect(renderTemplate(template, params)).toBe(expected));
});
