// Admission of requests that search, decide, explain or simulate: their work is charged to the client's share, and they
// wait in a fair queue. A client is a user; without authentication it is an address.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SHARE_LIMITS } from '../config/limits/placement';
import { CallerGone } from '../event-loop/caller';
import type { Clients } from '../event-loop/client';
import { clients as allClients } from '../event-loop/client';
import type { Place, Wait } from '../event-loop/fair-gate';
import { FairGate } from '../event-loop/fair-gate';
import { reportedAddress } from './proxy-headers';

/** Maximum wait for a place: a boot storm of a thousand decisions of one client takes a third of it. */
const WAIT_MS = 180_000;

interface AdmissionSettings {
  /** Places of one client in the queue. */
  readonly waitingOfClient: number;
  readonly isBehindProxy: boolean;
}

type WeighedRequest = Pick<FastifyRequest, 'berth' | 'raw'>;

export class Admission {
  private readonly gate: FairGate;

  constructor(
    private readonly settings: AdmissionSettings,
    private readonly clients: Clients = allClients,
  ) {
    this.gate = new FairGate('searches and decisions', {
      inside: SHARE_LIMITS.inFlight,
      insideOfClient: SHARE_LIMITS.underWayOfClient,
      waiting: SHARE_LIMITS.waiting,
      waitingOfClient: settings.waitingOfClient,
      waitMs: WAIT_MS,
    });
  }

  /** Running and queued requests, and refusals since the process began. */
  get figures(): FairGate['figures'] {
    return this.gate.figures;
  }

  /**
   * Admits the request, at once or when its client's turn comes; from then on its work is charged to its client. Its
   * place is released when it is answered or its client disconnects. Throws TooManyRequests and CallerGone.
   */
  admit(request: WeighedRequest, { raw: response }: Pick<FastifyReply, 'raw'>): true | Promise<true> {
    const { berth } = request;
    const client = this.clients.of(this.nameOf(request));
    this.clients.begin(client);
    const entered = this.gate.enter(client);
    const visit = new Visit(entered, () => this.clients.end(client));
    berth.client = client;
    berth.visit = visit;
    response.once('close', () => visit.end());
    return visit.isWaiting ? visit.begun() : true;
  }

  private nameOf({ berth, raw }: WeighedRequest): string {
    const userId = berth.principal?.userId ?? '';
    if (userId !== '') return `user ${userId}`;
    return `address ${reportedAddress(raw.headers, raw.socket.remoteAddress ?? '-', this.settings.isBehindProxy)}`;
  }
}

/** One request in the queue: waiting, admitted, or ended. */
class Visit {
  private hasEnded = false;

  constructor(
    private entered: Place | Wait,
    private readonly left: () => void,
  ) {}

  get isWaiting(): boolean {
    return 'place' in this.entered;
  }

  async begun(): Promise<true> {
    if (!('place' in this.entered)) return true;
    try {
      const place = await this.entered.place;
      this.entered = place;
      if (!this.hasEnded) return true;
      // The client disconnected at the moment of admission.
      place.leave();
      throw new CallerGone();
    } catch (error) {
      this.end();
      throw error;
    }
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    if ('place' in this.entered) this.entered.giveUp();
    else this.entered.leave();
    this.left();
  }
}
