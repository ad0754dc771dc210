// The port through which readiness shows the connection to a message broker. The wiring provides it if there is one.

export abstract class BrokerHealth {
  /** The member `broker` of a readiness document. */
  abstract readonly health: { readonly works: boolean; readonly reason?: string };
  /** Whether the process is ready only while the connection works. */
  abstract readonly isNeeded: boolean;
}
