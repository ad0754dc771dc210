// Table harness for specs of filters, weighers and prefilters. Every row states a rule with an example, and the
// smallest change across its boundary with the changed result. Not part of the product.

import type { RejectionParams } from '../../placement/candidate-search';
import { assert } from '../../platform/values/assert';
import { runToCompletion } from '../../platform/values/task';
import type { HostState } from '../host-state/host-state';
import type { RequestSpec } from '../request-spec/request-spec';
import { bind } from './bind';
import type { Filter, FilterEnvironment } from './define-filter';
import type { Prefilter, PrefilterOutcome, PrefilterSurroundings } from './define-prefilter';
import type { Weigher } from './define-weigher';
import type { ConfiguredValues } from './options';
import { hostState, outcomeOf, requestSpec, TEST_ENVIRONMENT } from './pipeline.fixture';
import { filterTask } from './run-filters';
import { sameWeight, weigherTask } from './run-weighers';
import { FILTER_ERROR, renderTemplate } from './verdict';

const PLACEHOLDER = /\{\w+\}/;

/** The inputs of a row and its flip. The flip overrides the row: field by field, options group by group. */
interface FilterCase {
  readonly host?: Partial<HostState>;
  readonly spec?: Partial<RequestSpec>;
  readonly options?: ConfiguredValues;
  readonly env?: Partial<FilterEnvironment>;
}

/**
 * `pass` is a pass without a note; a pass with a note names it. Limits and candidates are compared if given. A
 * rejection has its code and all parameters; `filter_error` stands for a check that throws.
 */
type ExpectedVerdict =
  | 'pass'
  | { readonly code: string; readonly params: RejectionParams }
  | {
      readonly passed: true;
      readonly note?: { readonly code: string; readonly params: RejectionParams };
      readonly limits?: HostState['limits'];
      readonly candidates?: HostState['candidates'];
    };

export interface FilterRow extends FilterCase {
  /** The rule of the specification in words; unique in its table. */
  readonly rule: string;
  readonly verdict: ExpectedVerdict;
  /**
   * The smallest change across the boundary; it must turn a pass into a rejection, a note or another code, or the
   * reverse.
   */
  readonly flip: FilterCase & { readonly verdict: ExpectedVerdict };
}

/** Reproduces a rejection from its parameters alone. */
export interface Reproduction {
  /** True if these parameters are rejected. */
  readonly rejects: (params: RejectionParams) => boolean;
  /** Parameters just across the boundary, which are not rejected. They verify `rejects`. */
  readonly unless: RejectionParams;
}

interface FilterTable {
  /** One per declared rejection code. */
  readonly reproduces: Readonly<Record<string, Reproduction>>;
  readonly rows: readonly FilterRow[];
}

/** Tests every row and its flip; every declared code must occur and be reproducible. */
export function filterTable(filter: Filter, { reproduces, rows }: FilterTable): void {
  const cases = rows.flatMap((row) => [
    { name: row.rule, at: row, expected: row.verdict },
    { name: `${row.rule} – across the boundary`, at: merged(row, row.flip), expected: row.flip.verdict },
  ]);
  uniqueRules(rows);

  it.each(cases)('$name', ({ at, expected }) => {
    const seen = judge(filter, at);
    expect(seen.verdict).toEqual(shown(expected, seen.verdict));
    expect(seen.message ?? '').not.toMatch(PLACEHOLDER);
    if (!('code' in seen.verdict) || seen.verdict.code === FILTER_ERROR) return;
    expect(reproduces[seen.verdict.code]?.rejects(seen.verdict.params)).toBe(true);
  });

  it('changes its mind across every boundary', () => {
    const seen = (at: FilterCase): string => side(judge(filter, at).verdict);
    expect(rows.filter((row) => seen(row) === seen(merged(row, row.flip))).map(({ rule }) => rule)).toEqual([]);
  });

  it('has a row for every rejection and every note it declares', () => {
    const hit = new Set(cases.map(({ expected }) => side(expected)));
    const declared = [...Object.keys(filter.rejections), ...Object.keys(filter.notes).map((code) => `pass, ${code}`)];
    expect(declared.filter((code) => !hit.has(code))).toEqual([]);
  });

  it('has params that decide every rejection again, and their neighbours differently', () => {
    expect(Object.keys(reproduces).sort()).toEqual(Object.keys(filter.rejections).sort());
    for (const [code, { rejects, unless }] of Object.entries(reproduces)) {
      expect([code, rejects(unless)]).toEqual([code, false]);
    }
  });
}

interface SeenVerdict {
  readonly verdict: Exclude<ExpectedVerdict, 'pass'>;
  readonly message: string | null;
}

/** Runs the pipeline, which isolates errors and rejects undeclared codes. */
function judge(filter: Filter, at: FilterCase): SeenVerdict {
  const { survivors, stages, notes } = runToCompletion(
    filterTask({
      hosts: [hostState(at.host)],
      spec: requestSpec(at.spec),
      filters: [bind(filter, at.options ?? {})],
      index: 0,
      mode: 'first',
      env: { ...TEST_ENVIRONMENT, ...at.env },
    }),
  );
  const [rejection] = stages.flatMap(({ rejected }) => rejected);
  if (rejection !== undefined) {
    return { verdict: { code: rejection.code, params: rejection.params }, message: rejection.message };
  }
  const [host] = survivors;
  assert(host !== undefined, 'a host that is not rejected survives');
  const { limits, candidates } = host;
  const note = notes[0] === undefined ? {} : { note: { code: notes[0].code, params: notes[0].params } };
  return { verdict: { passed: true, ...note, limits, candidates }, message: notes[0]?.message ?? null };
}

/** The expectation, with unspecified fields taken from the result. */
function shown(expected: ExpectedVerdict, seen: SeenVerdict['verdict']): ExpectedVerdict {
  const full = expected === 'pass' ? { passed: true as const } : expected;
  if ('code' in full || 'code' in seen) return full;
  const { limits, candidates } = seen;
  return { ...(limits && { limits }), ...(candidates && { candidates }), ...full };
}

function side(verdict: ExpectedVerdict): string {
  if (verdict === 'pass') return 'pass';
  if ('code' in verdict) return verdict.code;
  return verdict.note === undefined ? 'pass' : `pass, ${verdict.note.code}`;
}

function merged(row: FilterCase, flip: FilterCase): FilterCase {
  return {
    host: { ...row.host, ...flip.host },
    spec: { ...row.spec, ...flip.spec },
    options: mergedOptions(row.options, flip.options),
    env: { ...row.env, ...flip.env },
  };
}

function mergedOptions(base: ConfiguredValues = {}, over: ConfiguredValues = {}): ConfiguredValues {
  const groups = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries([...groups].map((group) => [group, { ...base[group], ...over[group] }]));
}

function uniqueRules(rows: readonly { readonly rule: string }[]): void {
  const rules = rows.map(({ rule }) => rule);
  const twice = rules.filter((rule, at) => rules.indexOf(rule) !== at);
  if (twice.length > 0) throw new Error(`a table states a rule twice: ${twice.join('; ')}`);
}

/** Hosts by name. The flip overrides the row's hosts one by one; null removes a host. */
interface WeigherCase {
  readonly hosts: Readonly<Record<string, Partial<HostState> | null>>;
  readonly spec?: Partial<RequestSpec>;
  readonly options?: ConfiguredValues;
  readonly env?: Partial<FilterEnvironment>;
}

/** Expected values by host name. Only given facets are compared; numbers within a relative 1e-9. */
interface ExpectedWeights {
  readonly raw?: Readonly<Record<string, number | null>>;
  readonly normalized?: Readonly<Record<string, number>>;
  /** Multiplier × normalised. */
  readonly score?: Readonly<Record<string, number>>;
  readonly order?: readonly string[];
  /** Hosts on which the weigher fails, with the cause. */
  readonly errors?: Readonly<Record<string, string>>;
}

interface WeigherRow extends WeigherCase {
  readonly rule: string;
  readonly outcome: ExpectedWeights;
  /** A change of another host that changes the outcome. */
  readonly flip: Partial<WeigherCase> & { readonly outcome: ExpectedWeights };
}

/** Tests every row and its flip through the pipeline; the two must differ in a facet that both specify. */
export function weigherTable(weigher: Weigher, rows: readonly WeigherRow[]): void {
  uniqueRules(rows);
  const cases = rows.flatMap((row) => [
    { name: row.rule, at: row, expected: row.outcome },
    { name: `${row.rule} – with its neighbour changed`, at: changed(row), expected: row.flip.outcome },
  ]);
  it.each(cases)('$name', ({ at, expected }) => {
    const seen = weighed(weigher, at);
    for (const facet of ['raw', 'normalized', 'score'] as const) {
      for (const [host, value] of Object.entries(expected[facet] ?? {})) {
        const found = seen[facet][host];
        const isSame = typeof value === 'number' && typeof found === 'number' && sameWeight(value, found);
        if (!isSame) expect({ [facet]: { [host]: found } }).toEqual({ [facet]: { [host]: value } });
      }
    }
    expect(seen.order).toEqual(expected.order ?? seen.order);
    expect(seen.errors).toEqual(expected.errors ?? {});
  });

  it('weighs otherwise with every changed neighbour', () => {
    for (const row of rows) {
      const facets = (['raw', 'normalized', 'score', 'order', 'errors'] as const).filter(
        (facet) => row.outcome[facet] !== undefined || row.flip.outcome[facet] !== undefined,
      );
      const seen = (at: WeigherCase): unknown => {
        const outcome = weighed(weigher, at);
        return facets.map((facet) => outcome[facet]);
      };
      expect([row.rule, seen(row)]).not.toEqual([row.rule, seen(changed(row))]);
    }
  });
}

function changed(row: WeigherRow): WeigherCase {
  const hosts: Record<string, Partial<HostState> | null> = { ...row.hosts };
  for (const [name, over] of Object.entries(row.flip.hosts ?? {})) {
    hosts[name] = over === null ? null : { ...hosts[name], ...over };
  }
  return { ...merged(withoutHosts(row), withoutHosts(row.flip)), hosts };
}

const withoutHosts = ({ spec = {}, options = {}, env = {} }: Partial<WeigherCase>): FilterCase => ({
  spec,
  options,
  env,
});

function weighed(weigher: Weigher, at: WeigherCase): Required<ExpectedWeights> {
  const hosts = Object.entries(at.hosts).flatMap(([host, given]) => (given === null ? [] : [{ ...given, host }]));
  const states = hosts.map((given) => hostState(given));
  const bound = bind(weigher, at.options ?? {});
  const env = { ...TEST_ENVIRONMENT, ...at.env };
  const { weighers, ranking } = runToCompletion(weigherTask([bound], states, requestSpec(at.spec), env));
  const parts = weighers[0]?.hosts ?? [];
  return {
    raw: Object.fromEntries(parts.map(({ host, raw }) => [host, raw])),
    normalized: Object.fromEntries(parts.map(({ host, normalized }) => [host, normalized])),
    score: Object.fromEntries(parts.map(({ host, score }) => [host, score])),
    order: ranking.map(({ state }) => state.host),
    errors: Object.fromEntries(parts.flatMap(({ host, error }) => (error === null ? [] : [[host, error]]))),
  };
}

interface PrefilterCase {
  readonly spec?: Partial<RequestSpec>;
  readonly options?: ConfiguredValues;
  /** Cloud, earlier additions, required traits, compatibility; `cloud` is replaced as a whole. */
  readonly surroundings?: Partial<PrefilterSurroundings>;
}

interface PrefilterRow extends PrefilterCase {
  readonly rule: string;
  readonly outcome: PrefilterOutcome;
  readonly flip: PrefilterCase & { readonly outcome: PrefilterOutcome };
}

const acrossOf = (row: PrefilterRow): PrefilterCase => ({
  ...merged({ spec: row.spec ?? {}, options: row.options ?? {} }, withoutHosts(row.flip)),
  surroundings: { ...row.surroundings, ...row.flip.surroundings },
});

/** Tests every row and its flip; every declared refusal must occur with a complete sentence. */
export function prefilterTable(prefilter: Prefilter, rows: readonly PrefilterRow[]): void {
  uniqueRules(rows);
  const cases = rows.flatMap((row) => [
    { name: row.rule, at: row, outcome: row.outcome },
    { name: `${row.rule} – across the boundary`, at: acrossOf(row), outcome: row.flip.outcome },
  ]);
  const outcomeAt = ({ spec, options, surroundings }: PrefilterCase): PrefilterOutcome =>
    outcomeOf(prefilter, requestSpec(spec), options ?? {}, surroundings ?? {});

  it.each(cases)('$name', ({ at, outcome }) => {
    const seen = outcomeAt(at);
    expect(seen).toEqual(outcome);
    if (seen.kind !== 'refused') return;
    expect(renderTemplate(prefilter.refusals[seen.code] ?? '{undeclared}', seen.params)).not.toMatch(PLACEHOLDER);
  });

  it('adds or refuses otherwise across every boundary', () => {
    for (const row of rows) {
      expect([row.rule, outcomeAt(row)]).not.toEqual([row.rule, outcomeAt(acrossOf(row))]);
    }
  });

  it('has a row for every refusal it declares', () => {
    const hit = new Set(cases.flatMap(({ outcome }) => (outcome.kind === 'refused' ? [outcome.code] : [])));
    expect(Object.keys(prefilter.refusals).filter((code) => !hit.has(code))).toEqual([]);
  });
}
