// The service as the pages know it: two clients of one session, one for the Placement API, which may be mounted at a
// prefix, and one for everything else.
import { Client, Session } from '@berth/client';
import type { Credentials } from '@berth/client';
import { SERVICE_URL } from '../address/base';

/** The microversion that the console speaks. */
const VERSION = '1.39';

export interface Service {
  /** The Placement API. */
  readonly placement: Client;
  /** Scheduler, registries, reports. */
  readonly scheduler: Client;
  readonly reports: Client['reports'];
  /** For routes that the clients have no function for. */
  readonly session: Session;
}

export function serviceFor(credentials: Credentials, apiPrefix: string): Service {
  const session = new Session({ endpoint: SERVICE_URL, credentials });
  const placement = new Session({ endpoint: `${SERVICE_URL}${apiPrefix}`, credentials });
  const scheduler = new Client(session, VERSION);
  return { placement: new Client(placement, VERSION), scheduler, reports: scheduler.reports, session };
}
