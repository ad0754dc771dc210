// Large bodies reuse memory one after another: the next answer must not overwrite one that is still unread.
import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { clear, loadWorld } from './scheduler-cloud';

const HOSTS = Array.from({ length: 60 }, (_, host) => `host${host}  VCPU:64`).join('\n');

/** A connection whose peer reads the head of an answer, and the rest on command. */
class SlowReader extends Duplex {
  private readonly taken: Buffer[] = [];
  private takeOn: (() => void) | undefined;
  private isLate = true;

  override _read(): void {
    // The request was pushed as a whole.
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    // Like the kernel, reads the bytes when it takes them, not when they are offered.
    const take = (): void => {
      this.taken.push(Buffer.from(chunk));
      done();
    };
    if (chunk.length < 4_096 || !this.isLate) return take();
    this.takeOn = take;
    this.emit('offered');
  }

  takeAll(): void {
    this.isLate = false;
    this.takeOn?.();
  }

  get text(): string {
    return Buffer.concat(this.taken).toString();
  }
}

describe('the memory of large answers', () => {
  let service: TestService;
  beforeAll(async () => {
    // The memory of bodies does not depend on the database.
    service = await startTestService(testDatabaseKinds()[0] ?? 'sqlite');
    await loadWorld(service, HOSTS);
  });
  afterAll(async () => {
    await clear(service);
    await service.stop();
  });

  const pathFor = (amount: number): string => `/allocation_candidates?resources=VCPU:${amount}`;
  const connect = async (amount: number): Promise<SlowReader> => {
    const reader = new SlowReader();
    service.app.getHttpServer().emit('connection', reader);
    reader.push(`GET ${pathFor(amount)} HTTP/1.1\r\nhost: x\r\nx-auth-token: admin\r\n`);
    reader.push('openstack-api-version: placement 1.36\r\nconnection: close\r\n\r\n');
    await once(reader, 'offered');
    return reader;
  };
  const askMany = async (): Promise<void> => {
    for (let at = 0; at < 10; at += 1) {
      const { status } = await service.request({ path: pathFor(40), version: '1.36' });
      expect(status).toBe(200);
    }
  };

  it('is not overwritten before the answer was read', async () => {
    const late = await Promise.all([3, 5, 7].map(async (amount) => ({ amount, reader: await connect(amount) })));
    await askMany();
    for (const { amount, reader } of late) {
      reader.takeAll();
      await once(reader, 'finish');
      expect(reader.text).toContain(`"VCPU":${amount}}`);
      expect(reader.text).not.toContain('"VCPU":40}');
    }
  });

  it('serves others after a client left without its answer', async () => {
    const gone = await connect(3);
    gone.destroy();
    await once(gone, 'close');
    await askMany();
  });
});
