// A long refusal is written in parts.
import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import { HTTP_LIMITS } from '../config/limits/http';
import { sendRefusal } from './error-document';
import type { RequestContext } from './request-context';

const HOSTS = Array.from({ length: 40_000 }, (_, at) => ({ host: `host-${at}`, reason: 'disabled', at }));
const DECISION = { hosts: HOSTS, outcome: 'no_valid_host' };
const REFUSAL = { status: 409, detail: 'No host fits.', code: 'scheduler.no_valid_host' };

describe('a long refusal', () => {
  let app: FastifyInstance;
  let errors: string[];

  beforeEach(() => {
    errors = [];
    app = fastify();
    const berth = { requestId: 'req-1', surface: 'scheduler', isGone: false } as Partial<RequestContext>;
    app.addHook('onRequest', (request, _reply, done) => {
      request.berth = berth as RequestContext;
      done();
    });
    app.get('/', (request, reply) => {
      const log = { error: (_fields: object, message: string) => void errors.push(message) };
      sendRefusal(request, reply, { ...REFUSAL, extra: { decision: DECISION } }, log);
    });
  });
  afterEach(() => app.close());

  const ask = async (): Promise<{ readonly status: number; readonly type: unknown; readonly text: string }> => {
    const { statusCode, headers, payload } = await app.inject({ url: '/', headers: { accept: 'application/json' } });
    return { status: statusCode, type: headers['content-type'], text: payload };
  };

  it('is whole', async () => {
    const { status, type, text } = await ask();
    expect([status, type, errors]).toEqual([409, 'application/json', []]);
    expect(text.length).toBeGreaterThan(HTTP_LIMITS.bodyChunkCharacters);
    expect(JSON.parse(text)).toMatchObject({
      errors: [{ code: REFUSAL.code, request_id: 'req-1', decision: DECISION }],
    });
  });
});
