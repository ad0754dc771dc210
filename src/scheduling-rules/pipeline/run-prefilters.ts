// Runs the prefilters in order, merges their additions and records each of them. A failing prefilter refuses the
// request, because its condition must not be dropped. A prefilter that finds the request invalid throws
// `RequestRefused`, which is passed on.

import { RequestRefused } from '../request-spec/request-refusal';
import type { RequestSpec } from '../request-spec/request-spec';
import type { BoundPrefilter } from './bind';
import type { Additions, PrefilterOutcome, PrefilterSurroundings } from './define-prefilter';
import { prefilterContext } from './define-prefilter';
import { causeOf, renderTemplate } from './verdict';

/** Additions with every list present. */
export type MergedAdditions = Required<Additions>;

export interface PrefilterRecord {
  readonly name: string;
  readonly ran: boolean;
  readonly whyNot: string | null;
  readonly added: MergedAdditions;
  readonly because: string | null;
  readonly refused: { readonly code: string; readonly message: string } | null;
}

interface PrefiltersResult {
  readonly added: MergedAdditions;
  readonly records: readonly PrefilterRecord[];
  /** The first refusal, which ends the run. */
  readonly refusal: { readonly prefilter: string; readonly code: string; readonly message: string } | null;
}

/** The code of a prefilter that threw. */
const PREFILTER_ERROR = 'prefilter_error';

export const NO_ADDITIONS: MergedAdditions = Object.freeze({
  rootRequired: [],
  rootForbidden: [],
  memberOf: [],
  forbiddenAggregates: [],
  groups: {},
});

/** The union of all additions. */
export function runPrefilters(
  prefilters: readonly BoundPrefilter[],
  spec: RequestSpec,
  surroundings: Omit<PrefilterSurroundings, 'addedBefore'>,
): PrefiltersResult {
  let added = NO_ADDITIONS;
  const records: PrefilterRecord[] = [];
  for (const prefilter of prefilters) {
    const record = recordOf(prefilter, spec, { ...surroundings, addedBefore: added });
    records.push(record);
    if (record.refused !== null) {
      return { added, records, refusal: { prefilter: record.name, ...record.refused } };
    }
    added = merge(added, record.added);
  }
  return { added, records, refusal: null };
}

function recordOf(
  { part, values }: BoundPrefilter,
  spec: RequestSpec,
  surroundings: PrefilterSurroundings,
): PrefilterRecord {
  const blank = { name: part.name, ran: true, whyNot: null, added: NO_ADDITIONS, because: null, refused: null };
  let outcome: PrefilterOutcome;
  try {
    outcome = part.apply(spec, prefilterContext(part, values, surroundings));
  } catch (error) {
    if (error instanceof RequestRefused) throw error;
    const message = `the prefilter ${part.name} failed: ${causeOf(error)}`;
    return { ...blank, refused: { code: PREFILTER_ERROR, message } };
  }
  switch (outcome.kind) {
    case 'added':
      return { ...blank, added: { ...NO_ADDITIONS, ...outcome.added }, because: outcome.because };
    case 'nothing':
      return { ...blank, ran: false, whyNot: outcome.whyNot };
    case 'refused': {
      const template = part.refusals[outcome.code] ?? outcome.code;
      return { ...blank, refused: { code: outcome.code, message: renderTemplate(template, outcome.params) } };
    }
  }
}

function merge(base: MergedAdditions, more: MergedAdditions): MergedAdditions {
  const groups = { ...base.groups };
  for (const [suffix, traits] of Object.entries(more.groups)) {
    groups[suffix] = union(groups[suffix] ?? [], traits);
  }
  return {
    rootRequired: union(base.rootRequired, more.rootRequired),
    rootForbidden: union(base.rootForbidden, more.rootForbidden),
    memberOf: [...base.memberOf, ...more.memberOf],
    forbiddenAggregates: union(base.forbiddenAggregates, more.forbiddenAggregates),
    groups,
  };
}

const union = (one: readonly string[], other: readonly string[]): string[] => [...new Set([...one, ...other])];
