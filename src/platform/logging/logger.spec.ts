import { Writable } from 'node:stream';
import type { LogLevel } from '../config/platform-config';
import type { AccessLog } from './access-log';
import { createAccessLog } from './access-log';
import type { LogContext } from './log-context';
import { contextFields } from './log-context';
import type { Logger } from './logger';
import { createLogger } from './logger';
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

const captureAccess = (level: LogLevel): { log: AccessLog; lines: unknown[]; text: () => string } => {
  const written: string[] = [];
  const lines: unknown[] = [];
  const write = (line: string): void => {
    written.push(line);
    lines.push(JSON.parse(line));
  };
  return { log: createAccessLog({ level, destination: { write } }), lines, text: () => written.join('') };
};

const context: LogContext = { requestId: 'req-1', globalRequestId: null, principal: undefined };
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

describe('the context of a request', () => {
  it('becomes fields, of which the unknown ones are left out', () => {
    expect(contextFields(context)).toEqual({ request_id: 'req-1' });
    expect(contextFields({ ...context, globalRequestId: 'req-g', principal: { userId: '', projectId: null } })).toEqual(
      { request_id: 'req-1', global_request_id: 'req-g', user: '' },
    );
    expect(contextFields({ ...context, principal: { userId: 'u', projectId: 'p' } })).toMatchObject({ project: 'p' });
  });
});

describe('the access log', () => {
  const end = { ...request, status: 200, bytes: 12, microversion: '1.39', durationMs: 3.14 };

  it('has one INFO line at the end and one DEBUG line at the start, like the lines of the logger', () => {
    const { log, lines, text } = captureAccess('debug');
    log.started(context, request);
    const known = { ...context, globalRequestId: 'req-g', principal: { userId: 'u', projectId: 'p' } };
    log.ended(known, end);
    const common = { time: expect.stringMatching(/Z$/) as unknown, pid: process.pid, request_id: 'req-1', ...request };
    expect(lines).toEqual([
      { level: 'debug', ...common, message: 'Starting request: 10.0.0.1 "GET /traits?name=x"' },
      {
        level: 'info',
        ...common,
        global_request_id: 'req-g',
        user: 'u',
        project: 'p',
        status: 200,
        bytes: 12,
        microversion: '1.39',
        duration_ms: 3.14,
        message: '10.0.0.1 "GET /traits?name=x" status: 200 len: 12 microversion: 1.39 time: 3.1 ms',
      },
    ]);
    expect(contextFields(known)).toMatchObject({ user: 'u', project: 'p', global_request_id: 'req-g' });
    expect(text()).toMatch(/^\{"level":"debug".*\}\n\{"level":"info".*\}\n$/);
  });

  it('says times in microseconds at most', () => {
    const { log, lines } = captureAccess('info');
    log.ended(context, { ...end, durationMs: 46.894946999999775 });
    expect(lines).toEqual([expect.objectContaining({ duration_ms: 46.895 })]);
  });

  it.each([
    ['debug', ['debug', 'debug']],
    ['info', []],
  ] as const)('at level %s has of probes %j', (level, levels) => {
    const { log, lines } = captureAccess(level);
    const probe = { ...end, path: '/healthz', isProbe: true };
    log.started(context, probe);
    log.ended(context, probe);
    expect(lines.map((line) => (line as { level: string }).level)).toEqual(levels);
  });

  it.each([
    ['debug', 2],
    ['info', 1],
    ['warn', 0],
    ['silent', 0],
  ] as const)('at level %s has %d lines', (level, count) => {
    const { log, lines } = captureAccess(level);
    log.started(context, request);
    log.ended(context, end);
    expect(lines).toHaveLength(count);
  });

  it('keeps what clients send inside of its line', () => {
    const { log, lines, text } = captureAccess('info');
    const invalid = 'a"b\\c\n\u2028\ud800ä';
    log.ended(
      { ...context, principal: { userId: invalid, projectId: null } },
      { ...end, remote: invalid, path: invalid, bytes: null },
    );
    expect(lines).toEqual([expect.objectContaining({ remote: invalid, path: invalid, user: invalid, bytes: null })]);
    expect(text().split('\n')).toHaveLength(2);
    expect(lines[0]).not.toHaveProperty('project');
  });

  it('shows what is not known as a dash, and lets no path forge a line', () => {
    const { log, lines } = captureAccess('info');
    log.ended(context, { ...end, path: '/a"\n', bytes: null, microversion: null });
    const message = '10.0.0.1 "GET /a%22%0A" status: 200 len: - microversion: - time: 3.1 ms';
    expect(lines).toEqual([expect.objectContaining({ message })]);
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
      // Nest's own messages are logged at DEBUG.
      expect.objectContaining({ level: 'debug', message: 'started', context: 'NestFactory' }),
      expect.objectContaining({ level: 'error', context: 'Router', stack: expect.stringContaining('at somewhere') }),
      expect.objectContaining({ level: 'warn', message: 'odd', err: expect.objectContaining({ message: 'odd' }) }),
      expect.objectContaining({ level: 'debug', answer: 42, context: 'Thing' }),
    ]);
  });
});
