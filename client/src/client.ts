// The client: one session and the resources of the API at one microversion.
import { Calls } from './calls.ts';
import { hypervisorsOf, keypairsOf, serversOf } from './compute.ts';
import { Resources } from './generated/resources.ts';
import { checkedVersion, NEWEST_COMPUTE } from './microversion.ts';
import type { Session } from './session.ts';

export class Client extends Resources {
  readonly servers;
  readonly keypairs;
  readonly hypervisors;
  readonly #session: Session;

  /** `version` is the microversion of every call; by default the newest that service and client support. */
  constructor(session: Session, version?: string) {
    super(new Calls(session, version === undefined ? undefined : checkedVersion(version)));
    this.#session = session;
    const compute = new Calls(session, NEWEST_COMPUTE, 'compute');
    this.servers = serversOf(compute);
    this.keypairs = keypairsOf(compute);
    this.hypervisors = hypervisorsOf(compute);
  }

  /** The same session at another microversion, for example `1.10`. The document types describe the newest one. */
  at(version: string): Client {
    return new Client(this.#session, version);
  }
}
