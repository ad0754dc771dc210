// Counts the requests of each route by status and version, with their durations. Called where the access log is
// written, so requests without a route count too. Uses plain additions; metrics/ exports them.
import { DURATION_BOUNDS, Distribution } from '../domain/tally';
import { ApiVersion } from '../microversion/api-version';
import type { Surface } from './surface';

/** Versions are counted by decade; the last entry is for requests without a version. */
const VERSION_CLASSES = [...ApiVersion.decades, 'none'];
const NO_VERSION = VERSION_CLASSES.length - 1;
const MILLISECONDS = 1_000;

interface RequestCount {
  readonly status: number;
  readonly microversion: string;
  readonly count: number;
}

export class RouteTally {
  /** In seconds. */
  readonly durations = new Distribution(DURATION_BOUNDS);
  /** Keyed by one number made of status and version. */
  private readonly answers = new Map<number, number>();

  constructor(
    readonly surface: Surface,
    readonly method: string,
    /** The path with `:name` for path parameters. */
    readonly template: string,
  ) {}

  ended(api: ApiVersion | undefined, status: number, durationMs: number): void {
    const key = status * VERSION_CLASSES.length + (api?.decade ?? NO_VERSION);
    this.answers.set(key, (this.answers.get(key) ?? 0) + 1);
    this.durations.add(durationMs / MILLISECONDS);
  }

  *counts(): Generator<RequestCount> {
    for (const [key, count] of this.answers) {
      const status = Math.floor(key / VERSION_CLASSES.length);
      yield { status, microversion: VERSION_CLASSES[key % VERSION_CLASSES.length] ?? 'none', count };
    }
  }
}

/** The edge's facts about a request; `route` is undefined without a route. */
interface EndedRequest {
  readonly route: RouteTally | undefined;
  readonly surface: Surface;
  readonly api: ApiVersion | undefined;
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

  ended({ route, surface, api }: EndedRequest, status: number, durationMs: number): void {
    (route ?? this.elsewhere[surface]).ended(api, status, durationMs);
  }

  get all(): readonly RouteTally[] {
    return [...this.byRoute.values(), ...Object.values(this.elsewhere)];
  }
}
