// A client of the change stream over a real connection, with all events received so far.
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestService } from '../support/service';
import { ALL_POWERFUL } from '../support/service';

interface HeardEvent {
  readonly event: string;
  readonly id: string;
  readonly data: any;
}

export class ChangeListener {
  readonly events: HeardEvent[] = [];
  /** All received text, including comments. */
  text = '';
  hasEnded = false;
  private rest = '';
  private readonly woken = new Set<() => void>();

  private constructor(
    private readonly asked: ClientRequest,
    readonly answer: IncomingMessage,
  ) {
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => this.take(text));
    answer.on('error', () => undefined);
    answer.once('close', () => {
      this.hasEnded = true;
      this.wake();
    });
  }

  /** Resolves with the head of the answer, whatever its status. */
  static async open(service: TestService, position?: string, headers = {}): Promise<ChangeListener> {
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    const query = position === undefined ? '' : `?position=${encodeURIComponent(position)}`;
    const asked = request({
      host: '127.0.0.1',
      port,
      path: `/reports/changes${query}`,
      agent: false,
      headers: { ...ALL_POWERFUL, ...headers },
    });
    asked.on('error', () => undefined);
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return new ChangeListener(asked, answer);
  }

  get status(): number {
    return this.answer.statusCode ?? 0;
  }

  get position(): string {
    return this.events.at(-1)?.id ?? '';
  }

  /** Hosts named in any change so far. */
  get hosts(): readonly string[] {
    return this.changes.flatMap(({ data }) => data.hosts as string[]);
  }

  get changes(): readonly HeardEvent[] {
    return this.events.filter(({ event }) => event === 'change');
  }

  /** Waits up to the timeout of the suite. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.hasEnded) throw new Error(`the stream ended: ${this.text}`);
      await new Promise<void>((resolve) => this.woken.add(resolve));
    }
  }

  async ended(): Promise<void> {
    while (!this.hasEnded) await new Promise<void>((resolve) => this.woken.add(resolve));
  }

  leave(): void {
    this.asked.destroy();
  }

  private take(text: string): void {
    this.text += text;
    this.rest += text;
    for (let end = this.rest.indexOf('\n\n'); end >= 0; end = this.rest.indexOf('\n\n')) {
      const lines = this.rest.slice(0, end).split('\n');
      this.rest = this.rest.slice(end + 2);
      const of = (name: string): string =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
      if (of('event') !== '') this.events.push({ event: of('event'), id: of('id'), data: JSON.parse(of('data')) });
    }
    this.wake();
  }

  private wake(): void {
    for (const resolve of this.woken) resolve();
    this.woken.clear();
  }
}
