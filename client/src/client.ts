// The client: one session, and the resources of the API at one microversion.
import { Calls } from './calls.ts';
import { Resources } from './generated/resources.ts';
import { checkedVersion } from './microversion.ts';
import type { Session } from './session.ts';

export class Client extends Resources {
  readonly #session: Session;

  /** `version` is the microversion of every call; without one it is the newest that both sides speak. */
  constructor(session: Session, version?: string) {
    super(new Calls(session, version === undefined ? undefined : checkedVersion(version)));
    this.#session = session;
  }

  /** The same session at another microversion, as `1.10`. What the types say of documents holds for the newest. */
  at(version: string): Client {
    return new Client(this.#session, version);
  }
}
