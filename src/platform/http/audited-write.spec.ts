import type { TriedRequest, TriedWrite } from './audited-write';
import { auditedWriteOf } from './audited-write';

const request = (method: string): TriedRequest => ({ method, berth: {} as TriedRequest['berth'] });

function followed(): {
  readonly auditContext: NonNullable<ReturnType<typeof auditedWriteOf>>;
  readonly reportedWrites: TriedWrite[];
} {
  const reportedWrites: TriedWrite[] = [];
  const auditContext = auditedWriteOf(request('PUT'), { tried: (write) => reportedWrites.push(write) });
  if (auditContext === undefined) throw new Error('a PUT has a trail');
  return { auditContext, reportedWrites };
}

it.each(['GET', 'HEAD', 'OPTIONS', '-'])('%s has no trail', (method) => {
  expect(auditedWriteOf(request(method), { tried: () => undefined })).toBeUndefined();
});

it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s has one if the audit is on', (method) => {
  expect(auditedWriteOf(request(method), { tried: () => undefined })).toBeDefined();
  expect(auditedWriteOf(request(method), undefined)).toBeUndefined();
});

it.each([
  [200, 'success'],
  [204, 'success'],
  [400, 'failure'],
  [409, 'failure'],
  [500, 'unknown'],
  [503, 'failure'],
] as const)('an answer of %d is a %s', (status, outcome) => {
  const { auditContext, reportedWrites } = followed();
  auditContext.answered(status);
  expect(reportedWrites).toMatchObject([{ status, outcome, isCreation: false }]);
});

it('a write whose commit has no known end is unknown', () => {
  const { auditContext, reportedWrites } = followed();
  auditContext.note({ isOutcomeUnknown: true });
  auditContext.answered(503);
  expect(reportedWrites).toMatchObject([{ outcome: 'unknown' }]);
});

it('is recorded once: what happens to the answer later changes nothing', () => {
  const { auditContext, reportedWrites } = followed();
  auditContext.note({ before: { a: 1 } });
  auditContext.note({ after: { a: 2 } });
  auditContext.answered(201, '/traits/A');
  auditContext.answered(500);
  auditContext.abandoned();
  expect(reportedWrites).toEqual([
    {
      request: request('PUT'),
      status: 201,
      outcome: 'success',
      isCreation: true,
      location: '/traits/A',
      noted: { before: { a: 1 }, after: { a: 2 } },
    },
  ]);
});

it('of a client that disconnected has an unknown outcome', () => {
  const { auditContext, reportedWrites } = followed();
  auditContext.abandoned();
  expect(reportedWrites).toMatchObject([{ status: undefined, outcome: 'unknown' }]);
});
