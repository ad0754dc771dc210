import { refusedByShelter } from './loopback-shelter';
import type { ShelterSettings } from './loopback-shelter';

const CLOSED: ShelterSettings = { allowedHosts: [], allowedOrigins: [] };
const NAMED: ShelterSettings = { allowedHosts: ['berth.lan'], allowedOrigins: ['https://console.example'] };

it.each<[string | undefined, ShelterSettings, boolean]>([
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
])('the host %j is ours with %j: %s', (host, settings, isOurs) => {
  expect(refusedByShelter({ host }, settings) === undefined).toBe(isOurs);
});

it.each<[string, ShelterSettings, boolean]>([
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
  expect(refusedByShelter({ host: 'localhost:8778', origin }, settings) === undefined).toBe(mayAsk);
});
