import type { OriginGuardSettings } from './origin-guard';
import { refusedByOriginGuard } from './origin-guard';

const CLOSED: OriginGuardSettings = { allowedHosts: [], allowedOrigins: [] };
const NAMED: OriginGuardSettings = { allowedHosts: ['berth.lan'], allowedOrigins: ['https://console.example'] };

it.each<[string | undefined, OriginGuardSettings, boolean]>([
  ['127.0.0.1:8778', CLOSED, true],
  ['127.1.2.3', CLOSED, true],
  ['localhost', CLOSED, true],
  ['LOCALHOST:8778', CLOSED, true],
  ['a.localhost:1', CLOSED, true],
  ['[::1]:8778', CLOSED, true],
  [undefined, CLOSED, true],
  ['evil.example', CLOSED, false],
  ['localhost.evil.example', CLOSED, false],
  ['127.0.0.1.evil.example', CLOSED, false],
  ['evil-localhost', CLOSED, false],
  ['', CLOSED, false],
  ['berth.lan:8778', CLOSED, false],
  ['Berth.LAN:8778', NAMED, true],
  ['x.berth.lan', NAMED, false],
  ['anything', { ...CLOSED, allowedHosts: ['*'] }, true],
])('the host %j is ours with %j: %s', (host, settings, isHostOfService) => {
  expect(refusedByOriginGuard({ host }, settings) === undefined).toBe(isHostOfService);
});

it.each<[string, OriginGuardSettings, boolean]>([
  ['http://localhost:8778', CLOSED, true],
  ['https://localhost:8778', CLOSED, true],
  ['http://localhost:3000', CLOSED, false],
  ['http://evil.example', CLOSED, false],
  ['null', CLOSED, false],
  ['', CLOSED, false],
  ['https://console.example', NAMED, true],
  ['http://console.example', NAMED, false],
  ['http://evil.example', { ...CLOSED, allowedOrigins: ['*'] }, true],
])('a page of %j may ask with %j: %s', (origin, settings, mayAsk) => {
  expect(refusedByOriginGuard({ host: 'localhost:8778', origin }, settings) === undefined).toBe(mayAsk);
});
