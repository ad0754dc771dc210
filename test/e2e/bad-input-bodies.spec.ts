// A body with a fault gets a clear 4xx that names the field of a schema violation, changes nothing, never causes a 5xx,
// and has the same answer on every database.
import type { TestRequest } from '../support/service';
import { DEEP, NO_JSON, spoiltBodies } from './bad-input-faults';
import { BODIES } from './bad-input-fields';
import { describeBadInput, PROVIDERS, toJson } from './bad-input-world';

const BODY_ROUTES = BODIES.filter((each) => !each.name.includes('as a list'));

describeBadInput(2_000, ({ request, generations, complaint, nothingChanges }) => {
  describe('a body with one fault is refused by field, and accepted without the fault', () => {
    it.each(BODIES.map((each) => [each.name, each] as const))('%s', async (name, each) => {
      const valid = each.body(await generations());
      const withBody = (body: string): TestRequest => ({
        method: each.method,
        path: each.path,
        version: each.version,
        body,
        headers: { 'content-type': 'application/json' },
      });
      const spoilt = spoiltBodies(valid, each.fields).filter(
        ({ named }) => each.isLenient !== true || !(named in Object.prototype),
      );
      expect(spoilt.length).toBeGreaterThan(15);
      await nothingChanges(async () => {
        const complaints: string[] = [];
        for (const { label, body, named } of spoilt) {
          complaints.push(
            ...(await complaint(`${name}: ${label}`, withBody(toJson(body)), { statuses: [400], named })),
          );
        }
        return complaints;
      });
      const response = await request(withBody(toJson(valid)));
      expect([response.status, response.text]).toEqual([each.status, expect.any(String)]);
    });
  });

  describe('a body that is not a document is refused', () => {
    it.each(BODY_ROUTES.map((each) => [each.name, each] as const))('%s', async (name, { method, path, version }) => {
      const json = { 'content-type': 'application/json' };
      await nothingChanges(async () => {
        const complaints: string[] = [];
        for (const [label, body] of [...NO_JSON, ...DEEP]) {
          const bad = { method, path, version, body, headers: json };
          complaints.push(...(await complaint(`${name}: ${label}`, bad, { statuses: [400] })));
        }
        for (const type of [
          'text/plain',
          'application/xml',
          'application/jsonx',
          'json',
          '*/*',
          'application/json+x',
        ]) {
          const bad = { method, path, version, body: '{}', headers: { 'content-type': type } };
          complaints.push(...(await complaint(`${name}: type ${type}`, bad, { statuses: [415] })));
        }
        const untyped = { method, path, version, body: '{}', headers: { 'content-type': null } };
        complaints.push(...(await complaint(`${name}: no type`, untyped, { statuses: [400], named: 'content-type' })));
        complaints.push(
          ...(await complaint(`${name}: no body, no type`, { method, path, version }, { statuses: [415] })),
        );
        return complaints;
      });
    });

    it('a body above the limit', async () => {
      const body = JSON.stringify({ name: 'x'.repeat(3 * 1024 * 1024) });
      const headers = { 'content-type': 'application/json' };
      await nothingChanges(() =>
        complaint(
          'too large',
          { method: 'POST', path: PROVIDERS, body, headers },
          { statuses: [413], named: 'max_body_bytes' },
        ),
      );
    });

    it('to the scheduler', async () => {
      const headers = { 'content-type': 'application/json' };
      const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
      const hints = `{"flavor": {"vcpus": 1, "memory_mb": 1}, "project_id": "p", "user_id": "u", "scheduler_hints": ${deep}}`;
      await nothingChanges(async () => {
        const complaints: string[] = [];
        for (const path of ['/scheduler/select_destinations', '/scheduler/explain']) {
          for (const [label, body] of [...NO_JSON, ...DEEP, ['deep hints', hints] as const]) {
            const bad: TestRequest = { method: 'POST', path, body, headers };
            complaints.push(...(await complaint(`${path}: ${label}`, bad, { statuses: [400, 409] })));
          }
        }
        return complaints;
      });
    });
  });
});
