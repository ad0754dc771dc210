import { InvalidInput } from '../../platform/values/errors';
import type { SimulationResult } from './simulated-text';
import { simulateText, SimulationsHere } from './simulated-text';

const HOSTS = Array.from({ length: 3_000 }, (_, at) => ({ host: `host-${at}`, text: 'ü "quoted"' }));
const body = Buffer.from(
  JSON.stringify({
    request: {
      flavor: { name: 'f', vcpus: 1, memory_mb: 1, root_gb: 1 },
      project_id: 'p',
      user_id: 'u',
      num_instances: 1,
    },
  }),
);
const simulated = (document: object, bytesMax?: number): Promise<SimulationResult> =>
  simulateText({ simulate: async () => document }, { body, requestId: 'req-1' }, bytesMax);

it.each([
  ['short', { outcome: 'selected' }],
  ['long', { selections: HOSTS }],
])('is the JSON of a %s answer, in memory that can be handed over whole', async (_, document) => {
  const answer = await new SimulationsHere({ simulate: async () => document }).answerTo({ body, requestId: 'req-1' });
  expect(Buffer.from(answer).toString()).toBe(JSON.stringify(document));
  expect(answer.buffer.byteLength).toBe(answer.length);
});

it('refuses an answer one byte above the maximum, and names what to reduce', async () => {
  const document = { selections: HOSTS };
  const bytes = Buffer.byteLength(JSON.stringify(document));
  expect(await simulated(document, bytes)).toMatchObject({ kind: 'answer', bytes: { length: bytes } });
  const refused = await simulated(document, bytes - 1);
  expect(refused).toMatchObject({ kind: 'refused', message: expect.stringContaining(`more than ${bytes - 1} bytes`) });
  for (const field of ['num_instances', 'explain', 'return_alternates']) {
    expect(refused).toMatchObject({ message: expect.stringContaining(`'request.${field}'`) });
  }
});

it('refuses a request without a body', async () => {
  const here = new SimulationsHere({ simulate: async () => ({}) });
  await expect(here.answerTo({ body: undefined, requestId: 'req-1' })).rejects.toThrow(InvalidInput);
});
