// Counts the requests of each route by status, with their durations. Called where the access log is written, so
// requests without a route count too. Uses plain additions; metrics/ exports them.
import { DURATION_BOUNDS, Distribution } from '../values/counters';
import type { Surface } from './surface';

const MILLISECONDS = 1_000;

export class RouteTally {
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
  readonly route: RouteTally | undefined;
  readonly surface: Surface;
}

/** Label for methods unknown to a route, and for requests without a route. */
const OTHER = 'other';
const NO_ROUTE = 'none';

export class RequestTally {
  private readonly byRoute = new Map<string, RouteTally>();
  private readonly elsewhere: Readonly<Record<Surface, RouteTally>> = {
    placement: new RouteTally('placement', OTHER, NO_ROUTE),
    scheduler: new RouteTally('scheduler', OTHER, NO_ROUTE),
    reports: new RouteTally('reports', OTHER, NO_ROUTE),
    console: new RouteTally('console', OTHER, NO_ROUTE),
    operations: new RouteTally('operations', OTHER, NO_ROUTE),
    facade: new RouteTally('facade', OTHER, NO_ROUTE),
  };

  /** A route with several methods is the one that refuses methods. */
  route(methods: string | readonly string[], template: string, surface: Surface): RouteTally {
    const method = typeof methods === 'string' ? methods : OTHER;
    const key = `${method} ${template}`;
    let tally = this.byRoute.get(key);
    if (tally === undefined) this.byRoute.set(key, (tally = new RouteTally(surface, method, template)));
    return tally;
  }

  ended({ route, surface }: EndedRequest, status: number, durationMs: number): void {
    (route ?? this.elsewhere[surface]).ended(status, durationMs);
  }

  get all(): readonly RouteTally[] {
    return [...this.byRoute.values(), ...Object.values(this.elsewhere)];
  }
}
