import { writeTrailOf } from './write-trail';
import type { TriedRequest, TriedWrite } from './write-trail';

const request = (method: string): TriedRequest => ({ method, berth: {} as TriedRequest['berth'] });

function followed(): { readonly trail: NonNullable<ReturnType<typeof writeTrailOf>>; readonly told: TriedWrite[] } {
  const told: TriedWrite[] = [];
  const trail = writeTrailOf(request('PUT'), { tried: (write) => told.push(write) });
  if (trail === undefined) throw new Error('a PUT has a trail');
  return { trail, told };
}

it.each(['GET', 'HEAD', 'OPTIONS', '-'])('%s has no audit context', (method) => {
  expect(writeTrailOf(request(method), { tried: () => undefined })).toBeUndefined();
});

it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s has one, where anybody audits', (method) => {
  expect(writeTrailOf(request(method), { tried: () => undefined })).toBeDefined();
  expect(writeTrailOf(request(method), undefined)).toBeUndefined();
});

it.each([
  [200, 'success'],
  [204, 'success'],
  [400, 'failure'],
  [409, 'failure'],
  [500, 'unknown'],
  [503, 'failure'],
] as const)('an answer of %d is a %s', (status, outcome) => {
  const { trail, told } = followed();
  trail.answered(status);
  expect(told).toMatchObject([{ status, outcome, isCreation: false }]);
});

it('a write with an unknown commit has an unknown outcome', () => {
  const { trail, told } = followed();
  trail.note({ isOutcomeUnknown: true });
  trail.answered(503);
  expect(told).toMatchObject([{ outcome: 'unknown' }]);
});

it('is recorded once: later failures of the answer change nothing', () => {
  const { trail, told } = followed();
  trail.note({ before: { a: 1 } });
  trail.note({ after: { a: 2 } });
  trail.answered(201, '/traits/A');
  trail.answered(500);
  trail.abandoned();
  expect(told).toEqual([
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

it('of a disconnected client has an unknown outcome', () => {
  const { trail, told } = followed();
  trail.abandoned();
  expect(told).toMatchObject([{ status: undefined, outcome: 'unknown' }]);
});
