// Decisions for table tests: all fields that a test does not set are empty.
import type { Decision, Pass, PlacementRecord, Stage } from './decision-document';

export const stage = (name: string, before: number, left: number, given: Partial<Stage> = {}): Stage => ({
  kind: 'filter',
  name,
  in: before,
  out: left,
  skipped: false,
  rejections: { by_code: {}, hosts: [], truncated: false },
  ...given,
});

export const pass = (given: Partial<Pass> = {}): Pass => ({
  index: 0,
  instance_uuid: '00000000-0000-4000-8000-000000000001',
  phase: 'select',
  stages: [],
  passed_because: [],
  passed_because_truncated: false,
  weighers: [],
  ranked: 0,
  ranking: [],
  ranking_truncated: false,
  drawn_from: 1,
  claims_tried: {},
  claims: [],
  claims_truncated: false,
  selected: null,
  alternates: [],
  ...given,
});

export const placement = (given: Partial<PlacementRecord> = {}): PlacementRecord => ({
  query: 'resources=VCPU:1',
  microversion: '1.36',
  candidates: 0,
  hosts: 0,
  truncated: false,
  fallback: null,
  gave_up: false,
  not_considered: 0,
  rejections: null,
  ...given,
});

export const decision = (given: Partial<Decision> = {}): Decision => ({
  summary: {
    sentence: '',
    user_message: '',
    hosts: null,
    counts: [],
    cause: [],
    nearest: [],
    fixes: null,
    rejected: {},
  },
  request_id: 'req-1',
  at: '2026-01-01T00:00:00.000Z',
  duration_ms: 1,
  outcome: 'placed',
  code: null,
  seed: 1,
  driver: 'filter_scheduler',
  config_revision: 'c',
  request: null,
  prefilters: [],
  placement: null,
  passes: [],
  passes_made: 0,
  passes_truncated: false,
  ...given,
});
