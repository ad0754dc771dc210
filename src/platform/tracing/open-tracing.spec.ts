/** @jest-environment node */
import { OPTIONAL_PACKAGES } from '../version';
import { watcherOf } from './open-tracing';

jest.mock('@opentelemetry/api', missing);
jest.mock('@opentelemetry/exporter-trace-otlp-http', missing);
jest.mock('@opentelemetry/sdk-trace-node', missing);

const log = { warn: () => undefined };
const settings = (slowSeconds: number, url?: string): Parameters<typeof watcherOf>[0] => ({
  berth: { slow_request_seconds: slowSeconds } as Parameters<typeof watcherOf>[0]['berth'],
  tracing: url === undefined ? null : { url, headers: {}, serviceName: 'berth', resource: {} },
});

describe('without OpenTelemetry', () => {
  it('slow requests are watched', async () => {
    expect(await watcherOf(settings(0), log)).toBeUndefined();
    expect(await watcherOf(settings(1), log)).toBeDefined();
  });

  it('the start is refused if traces are to be sent, with the command that installs it', async () => {
    expect(OPTIONAL_PACKAGES).toContainEqual(expect.stringMatching(/^@opentelemetry\/sdk-trace-node@\d/));
    await expect(watcherOf(settings(0, 'http://127.0.0.1:1'), log)).rejects.toMatchObject({
      name: 'StartRefused',
      message: expect.stringContaining(`npm install ${OPTIONAL_PACKAGES.join(' ')}`) as unknown,
    });
  });
});

function missing(): never {
  throw Object.assign(new Error('not installed'), { code: 'MODULE_NOT_FOUND' });
}
