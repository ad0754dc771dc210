// The service for the pages: two clients on the same credentials, one for the Placement API, which can have a path
// prefix, and one for all other routes.
import type { Credentials } from '@berth/client';
import { Client, Session } from '@berth/client';
import { SERVICE_URL } from '../address/base';

/** The Placement microversion that the console uses. */
const VERSION = '1.39';

export interface Service {
  /** The Placement API. */
  readonly placement: Client;
  /** Scheduler, registries, reports. */
  readonly scheduler: Client;
  readonly reports: Client['reports'];
  /** For routes without a client function. */
  readonly session: Session;
}

export function serviceFor(credentials: Credentials, apiPrefix: string): Service {
  const session = new Session({ endpoint: SERVICE_URL, credentials });
  const placement = new Session({ endpoint: `${SERVICE_URL}${apiPrefix}`, credentials });
  const scheduler = new Client(session, VERSION);
  return { placement: new Client(placement, VERSION), scheduler, reports: scheduler.reports, session };
}
