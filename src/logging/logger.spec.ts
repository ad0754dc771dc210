import { Writable } from 'node:stream';
import { accessLine, logRequestEnd, logRequestStart } from './access-log';
import { amendLogContext, runWithLogContext } from './log-context';
import type { LogContext } from './log-context';
import { createLogger } from './logger';
import type { Logger } from './logger';
import { createNestLogger } from './nest-logger';

const capture = (level: 'info' | 'debug' = 'debug'): { logger: Logger; lines: Record<string, unknown>[] } => {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  return { logger: createLogger({ level, destination }), lines };
};

const context: LogContext = { requestId: 'req-1', globalRequestId: null, userId: null, projectId: null };
const request = { remote: '10.0.0.1', method: 'GET', path: '/traits?name=x' };

describe('the logger', () => {
  it('writes one JSON object per line with level and time in words', () => {
    const { logger, lines } = capture();
    logger.warn({ provider: 'p' }, 'over capacity');
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'warn',
        message: 'over capacity',
        provider: 'p',
        time: expect.stringMatching(/Z$/),
      }),
    ]);
  });

  it('adds the running request to every line, across awaits, and what is learnt meanwhile', async () => {
    const { logger, lines } = capture();
    await runWithLogContext(context, async () => {
      logger.info('before');
      await new Promise((resolve) => setImmediate(resolve));
      amendLogContext({ userId: 'u', projectId: 'p', globalRequestId: 'req-g' });
      await Promise.resolve();
      logger.info('after');
    });
    logger.info('outside');
    expect(lines[0]).toMatchObject({ request_id: 'req-1' });
    expect(lines[0]).not.toHaveProperty('user');
    expect(lines[1]).toMatchObject({ request_id: 'req-1', global_request_id: 'req-g', user: 'u', project: 'p' });
    expect(lines[2]).not.toHaveProperty('request_id');
  });

  it('keeps requests that run at the same time apart', async () => {
    const { logger, lines } = capture();
    const run = (id: string): Promise<void> =>
      runWithLogContext({ ...context, requestId: id }, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        amendLogContext({ userId: `user of ${id}` });
        logger.info(id);
      });
    await Promise.all(['a', 'b', 'c'].map(run));
    for (const line of lines)
      expect(line).toMatchObject({ request_id: line['message'], user: `user of ${String(line['message'])}` });
  });

  it('never writes secrets', () => {
    const { logger, lines } = capture();
    const secrets = { 'x-auth-token': 'S3CRET', authorization: 'S3CRET', password: 'S3CRET', connection: 'S3CRET' };
    logger.info({ ...secrets, headers: secrets, req: { headers: secrets } }, 'request');
    logger.error({ err: new Error('cannot reach mysql://berth:S3CRET@db/berth') }, 'failed');
    expect(JSON.stringify(lines)).not.toContain('S3CRET');
    expect(lines[0]).toMatchObject({ headers: { password: '***' } });
    expect(JSON.stringify(lines[1])).toContain('mysql://berth:***@db/berth');
  });
});

describe('the access log', () => {
  const end = { ...request, status: 200, bytes: 12, microversion: '1.39', durationMs: 3.14 };

  it('has one INFO line at the end and one DEBUG line at the start', () => {
    const { logger, lines } = capture();
    logRequestStart(logger, request);
    logRequestEnd(logger, end);
    expect(lines).toEqual([
      expect.objectContaining({ level: 'debug', message: 'Starting request: 10.0.0.1 "GET /traits?name=x"' }),
      expect.objectContaining({ level: 'info', status: 200, bytes: 12, microversion: '1.39', duration_ms: 3.14 }),
    ]);
  });

  it('has no DEBUG line at level info', () => {
    const { logger, lines } = capture('info');
    logRequestStart(logger, request);
    expect(lines).toEqual([]);
  });

  it('shows what is not known as a dash, and lets no path forge a line', () => {
    expect(accessLine({ ...end, path: '/a"\n', bytes: null, microversion: null })).toBe(
      '10.0.0.1 "GET /a%22%0A" status: 200 len: - microversion: - time: 3.1 ms',
    );
  });
});

describe('the logger that Nest is given', () => {
  it('maps levels and takes the last text as context', () => {
    const { logger, lines } = capture();
    const nest = createNestLogger(logger);
    nest.log('started', 'NestFactory');
    nest.error('broken', 'Error: broken\n    at somewhere', 'Router');
    nest.warn(new Error('odd'));
    nest.debug?.({ answer: 42 }, 'Thing');
    nest.verbose?.('hidden at this level');
    expect(lines).toEqual([
      // What Nest says of itself is for developers.
      expect.objectContaining({ level: 'debug', message: 'started', context: 'NestFactory' }),
      expect.objectContaining({ level: 'error', context: 'Router', stack: expect.stringContaining('at somewhere') }),
      expect.objectContaining({ level: 'warn', message: 'odd', err: expect.objectContaining({ message: 'odd' }) }),
      expect.objectContaining({ level: 'debug', answer: 42, context: 'Thing' }),
    ]);
  });
});
