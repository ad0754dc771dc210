import { AUDIT_LIMITS } from '../config/limits/processes';
import { ACCOUNT, attachment, auditEvent } from './audit-event';
import { AuditLog } from './audit-log';

const event = auditEvent(
  {
    id: '1',
    at: new Date(0),
    action: 'create',
    outcome: 'success',
    reason: { reasonType: 'HTTP', reasonCode: '201' },
    initiator: { typeURI: ACCOUNT, id: 'u' },
    target: { typeURI: 'service/compute/placement/trait', id: 'T' },
    attachments: attachment('requested', { text: 'x'.repeat(AUDIT_LIMITS.documentCharacters) }),
  },
  'here',
);

it('counts and reports lost events: those that exceed the buffer, and those that a full disk refused', async () => {
  const reported: [level: string, fields: object, message: string][] = [];
  const log = await AuditLog.open(
    { log_file: '/dev/full', cwd: '/' },
    {
      error: (fields, message) => reported.push(['error', fields, message]),
      info: (fields, message) => reported.push(['info', fields, message]),
    },
  );
  const tried = Math.ceil(AUDIT_LIMITS.waitingBytes / AUDIT_LIMITS.documentCharacters);
  for (let count = 0; count < tried; count += 1) log.record(event);
  expect(log.lost).toBeGreaterThan(0);
  expect(reported).toContainEqual([
    'error',
    { events: 1, eventsInAll: 1 },
    expect.stringMatching(/^audit events were lost/),
  ]);
  await log.close();
  expect(log.lost).toBe(tried);
  expect(reported).toContainEqual(['error', expect.anything(), expect.stringMatching(/cannot be written/)]);
  expect(reported.at(-1)).toEqual(['error', { events: tried - 1, eventsInAll: tried }, expect.any(String)]);
});
