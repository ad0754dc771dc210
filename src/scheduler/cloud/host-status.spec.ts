import type { KnownHost } from '../ports';
import { isUsable, statusOf } from './host-status';

const NOW = 1_000_000;
const root = { id: 1, uuid: 'u', name: 'cn1', isSharing: false, wasReported: false, traits: new Set<string>() };
const service = { disabled: false, disabledReason: null, forcedDown: false, lastSeenUpMs: NOW, createdAtMs: 0 };
const reported = {} as KnownHost['reported'];
const known = (given: Partial<KnownHost> = {}): KnownHost => ({ reported, service, aggregates: [], ...given });
const statusAt = (host: KnownHost, of = root): string =>
  statusOf(of, host, { nowMs: NOW, serviceDownSeconds: 60 }).status;

it.each([
  ['up', known(), root],
  ['up', known({ service: { ...service, lastSeenUpMs: NOW - 60_000 } }), root],
  ['silent', known({ service: { ...service, lastSeenUpMs: NOW - 60_001 } }), root],
  ['silent', known({ service: { ...service, lastSeenUpMs: NOW + 60_001 } }), root],
  ['down', known({ service: { ...service, forcedDown: true } }), root],
  ['disabled', known({ service: { ...service, disabled: true, forcedDown: true } }), root],
  ['disabled', known(), { ...root, traits: new Set(['COMPUTE_STATUS_DISABLED']) }],
  ['unreported', known({ reported: null, service: null }), root],
  ['unreported', known({ reported: null, service: { ...service, lastSeenUpMs: null } }), root],
  ['down', known({ reported: null, service: { ...service, forcedDown: true } }), root],
  ['sharing', known({ reported: null, service: null }), { ...root, isSharing: true }],
  ['unreported', known({ reported: null }), { ...root, isSharing: true }],
  ['up', known(), { ...root, isSharing: true }],
  ['up', known(), { ...root, wasReported: true }],
  ['down', known({ reported: null, service: null }), { ...root, wasReported: true }],
])('is %s', (expected, host, of) => expect(statusAt(host, of)).toBe(expected));

it("gives the reason in the filter's words", () => {
  const silent = known({ service: { ...service, lastSeenUpMs: NOW - 90_000 } });
  expect(statusOf(root, silent, { nowMs: NOW, serviceDownSeconds: 60 }).reason).toBe(
    'the compute service last reported 90 s ago; it counts as down after 60 s',
  );
});

it('accepts new instances if nothing blocks the host', () => {
  expect((['up', 'unreported', 'sharing'] as const).every(isUsable)).toBe(true);
  expect((['disabled', 'down', 'silent'] as const).some(isUsable)).toBe(false);
});
