// Measures the CPU that authentication with a known token adds to a request, by strategy, with the built code and no
// other work.
import { randomBytes } from 'node:crypto';
import { discardIdentityHeaders } from '../../dist/src/platform/auth/identity-headers.js';
import { KeystoneAuthenticator } from '../../dist/src/platform/auth/keystone/keystone-authenticator.js';
import { Noauth2Authenticator } from '../../dist/src/platform/auth/noauth2.js';

const CALLS = 200_000;
const ROUNDS = 5;
const TOKENS = 1_000;

const HEADERS = {
  host: 'placement.example.com:8778',
  accept: 'application/json',
  'accept-encoding': 'gzip, deflate',
  connection: 'keep-alive',
  'user-agent': 'nova-compute keystoneauth1/5.0.0 python-requests/2.28.1 CPython/3.11.2',
  'openstack-api-version': 'placement 1.39',
  'x-openstack-request-id': 'req-6f5d2f2c-0d2e-4b7c-8a5e-1d2c3b4a5968',
  'content-type': 'application/json',
  'content-length': '512',
};

export async function measureAuthentication() {
  const silent = { warn() {}, info() {} };
  const tokens = Array.from({ length: TOKENS }, () => `gAAAAAB${randomBytes(132).toString('base64url')}`);
  const principal = { userId: 'nova', projectId: 'service', roles: ['service'], systemScope: null };
  const identity = {
    validate: async () => ({
      kind: 'known',
      token: { principal, expiresAt: Date.now() + 3_600_000, accessRules: null },
    }),
    close: async () => {},
  };
  const settings = { challenge: '', keptMs: 3_600_000, serviceType: 'placement', serviceRoles: new Set(['service']) };
  const strategies = {
    noauth2: [new Noauth2Authenticator(), {}],
    'keystone, known token': [new KeystoneAuthenticator(identity, settings, silent), {}],
    'keystone, known token and service token': [
      new KeystoneAuthenticator(identity, settings, silent),
      { 'x-service-token': tokens[0] },
    ],
  };
  console.log(`\nauthentication, ${TOKENS} tokens of ${tokens[0].length} characters, microseconds of CPU per request`);
  for (const [name, [authenticator, further]] of Object.entries(strategies)) {
    const ask = (at) => {
      const headers = { ...HEADERS, 'x-auth-token': tokens[at % TOKENS], ...further };
      const answer = authenticator.authenticate({ headers, method: 'GET', path: '/usages', prefix: '' });
      discardIdentityHeaders(headers);
      return answer;
    };
    for (let at = 0; at < TOKENS; at += 1) {
      const { authenticated } = await ask(at);
      if (!authenticated) throw new Error(`${name}: a known token was refused`);
    }
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const began = process.cpuUsage();
      for (let at = 0; at < CALLS; at += 1) {
        const answer = ask(at);
        if (answer instanceof Promise) await answer;
      }
      const { user, system } = process.cpuUsage(began);
      rounds.push((user + system) / CALLS);
    }
    const [least] = rounds.sort((one, other) => one - other);
    console.log(`  ${name.padEnd(46)} ${rounds[Math.floor(ROUNDS / 2)].toFixed(2)}  (least ${least.toFixed(2)})`);
  }
}
