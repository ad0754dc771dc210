// Counts the requests of each route by status, with their durations. Called where the access log is written, so
// requests without a route count too. Uses plain additions; metrics/ exports them.
import { Distribution, DURATION_BOUNDS } from '../values/counters';
import type { Surface } from './surface';

const MILLISECONDS = 1_000;

export class RouteCounters {
  /** In seconds. */
  readonly durations = new Distribution(DURATION_BOUNDS);
  /** By status. */
  readonly answers = new Map<number, number>();

  constructor(
    readonly surface: Surface,
    readonly method: string,
    /** The path with `:name` for path parameters. */
    readonly template: string,
  ) {}

  ended(status: number, durationMs: number): void {
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    this.durations.add(durationMs / MILLISECONDS);
  }
}

/** The edge's facts about a request; `route` is undefined without a route. */
interface EndedRequest {
  readonly route: RouteCounters | undefined;
  readonly surface: Surface;
}

/** Label for methods unknown to a route, and for requests without a route. */
const OTHER = 'other';
const NO_ROUTE = 'none';

export class RequestCounters {
  private readonly byRoute = new Map<string, RouteCounters>();
  private readonly elsewhere: Readonly<Record<Surface, RouteCounters>> = {
    placement: new RouteCounters('placement', OTHER, NO_ROUTE),
    scheduler: new RouteCounters('scheduler', OTHER, NO_ROUTE),
    reports: new RouteCounters('reports', OTHER, NO_ROUTE),
    console: new RouteCounters('console', OTHER, NO_ROUTE),
    operations: new RouteCounters('operations', OTHER, NO_ROUTE),
    practice_cloud: new RouteCounters('practice_cloud', OTHER, NO_ROUTE),
  };

  /** A route with several methods is the one that refuses methods. */
  route(methods: string | readonly string[], template: string, surface: Surface): RouteCounters {
    const method = typeof methods === 'string' ? methods : OTHER;
    const key = `${method} ${template}`;
    let counters = this.byRoute.get(key);
    if (counters === undefined) this.byRoute.set(key, (counters = new RouteCounters(surface, method, template)));
    return counters;
  }

  ended({ route, surface }: EndedRequest, status: number, durationMs: number): void {
    (route ?? this.elsewhere[surface]).ended(status, durationMs);
  }

  get all(): readonly RouteCounters[] {
    return [...this.byRoute.values(), ...Object.values(this.elsewhere)];
  }
}
