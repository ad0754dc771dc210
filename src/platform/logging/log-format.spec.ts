import { createAccessLog } from './access-log';
import { isReadable, readableLines } from './log-format';
import { createLogger } from './logger';

it.each([
  ['auto', true, true],
  ['auto', false, false],
  ['json', true, false],
  ['pretty', false, true],
] as const)('%s where standard error is a terminal (%s) is for people: %s', (format, isTerminal, readable) =>
  expect(isReadable(format, isTerminal)).toBe(readable),
);

describe('readable lines', () => {
  const written: string[] = [];
  const destination = readableLines({ write: (line) => written.push(line) }, false);
  beforeEach(() => void written.splice(0));

  it('have time, level, sentence and fields, a line each', () => {
    createLogger({ level: 'info', destination }).warn({ waited: 3, password: 'S3CRET' }, 'the gate is full');
    expect(written).toEqual([
      expect.stringMatching(/^\[\d\d:\d\d:\d\d\.\d{3}\] WARN: the gate is full \{.*"waited":3.*\}\n$/),
    ]);
    expect(written.join('')).not.toContain('S3CRET');
  });

  it('show the stack of an error below it', () => {
    createLogger({ level: 'info', destination }).error({ err: new Error('broken') }, 'a request failed');
    expect(written.join('')).toMatch(/ERROR: a request failed[\s\S]*Error: broken[\s\S]*at /);
  });

  it('contain no line break, control character or change of direction of a client', () => {
    const zone = 'a\n[10:00:00.000] WARN: forged\u001b[2J\u009b31m\u202e';
    const log = createLogger({ level: 'info', destination });
    log.warn({ zone, err: new Error(zone) }, `zone ${zone}`);
    destination.write(`no JSON ${zone}\n`);
    const text = written.join('');
    for (const character of ['\u001b', '\u009b', '\u202e', '\n[10:00']) expect(text).not.toContain(character);
    expect(text.match(/^\[\d\d:/gm)).toHaveLength(1);
  });

  it('are those of the access log as well', () => {
    const request = { remote: '10.0.0.1', method: 'GET', path: '/traits' };
    const context = { requestId: 'req-1', traceId: 'abc', globalRequestId: null, principal: undefined };
    createAccessLog({ level: 'info', destination }).ended(context, {
      ...request,
      status: 200,
      bytes: 12,
      microversion: null,
      durationMs: 1,
    });
    expect(written).toEqual([expect.stringContaining('INFO: 10.0.0.1 "GET /traits" status: 200')]);
    expect(written[0]).toContain('"trace_id":"abc"');
  });
});
