// The port through which readiness shows how the data in memory was kept up to date. The wiring provides it.

export abstract class LoadedGraph {
  /** The member `graph` of a readiness document. */
  abstract get counts(): object;
}
