// The codes of the scheduler's refusals. The reference page is printed from them; scheduler.errors.ts throws them.

export interface SchedulerErrorRow {
  readonly status: 400 | 404 | 409 | 503;
  readonly code: string;
  readonly meaning: string;
}

export const SCHEDULER_ERROR_ROWS = [
  {
    status: 400,
    code: 'scheduler.invalid_request',
    meaning:
      'A field of the body or the query is wrong, or names what does not exist; the detail begins with its path.',
  },
  {
    status: 400,
    code: 'scheduler.unsupported',
    meaning: 'What is asked for is not supported, by the name of the field.',
  },
  { status: 404, code: 'scheduler.not_found', meaning: 'The thing named by the path does not exist.' },
  {
    status: 409,
    code: 'scheduler.no_candidates',
    meaning: 'Placement has no allocation candidates; the decision tells what is missing.',
  },
  {
    status: 409,
    code: 'scheduler.no_valid_host',
    meaning: 'No host, or too few, got through prefilters, filters and claims.',
  },
  { status: 409, code: 'scheduler.claims_lost', meaning: 'Hosts had passed, and others took what they offered.' },
  {
    status: 409,
    code: 'scheduler.attempts_exhausted',
    meaning: 'A build failed and there is no further host, or too many were tried; the claim is released.',
  },
  {
    status: 409,
    code: 'scheduler.generation_conflict',
    meaning: 'Somebody else changed it meanwhile, or the generation is not the one in force: read it again.',
  },
  {
    status: 409,
    code: 'scheduler.in_use',
    meaning: 'Others need it as it is; an instance is being moved, or is not.',
  },
  { status: 409, code: 'scheduler.duplicate_name', meaning: 'Another one has this name or uuid.' },
  {
    status: 503,
    code: 'scheduler.search_gave_up',
    meaning:
      'The search for candidates found nothing within the work that one request may cost; that does not say that ' +
      'nothing fits. Asking again does not help, asking for less does.',
  },
  {
    status: 503,
    code: 'scheduler.unavailable',
    meaning: 'Placement or the database cannot be reached, or a queue is full; retry later.',
  },
] as const satisfies readonly SchedulerErrorRow[];

export type SchedulerErrorCode = (typeof SCHEDULER_ERROR_ROWS)[number]['code'];
