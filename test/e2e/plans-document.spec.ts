// The transcripts of docs/plans.md: a drain and its run in the practice cloud.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanCloud } from './plan-cloud';
import { startPlanCloud } from './plan-cloud';

const PAGE = readFileSync(join(__dirname, '../../docs/plans.md'), 'utf8');
const TRANSCRIPTS = [...PAGE.matchAll(/```\n\$ berth plan (.*)\n([^]*?)```/g)].map(
  ([, command = '', text = '']) => [command, text] as const,
);
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

let cloud: PlanCloud;
let plan = '';
beforeAll(async () => {
  cloud = await startPlanCloud('sqlite');
  for (const name of ['web-1', 'web-2', 'db-1']) await cloud.create(name, 'cn1');
  await cloud.create('build', 'cn1', { flavorRef: '9' });
});
afterAll(() => cloud.service.stop());

it('there are transcripts', () => expect(TRANSCRIPTS).toHaveLength(2));

/** Without ids, and without the order of moves that run at the same time. */
const comparable = (text: string): readonly string[] => text.replaceAll(UUID, 'ID').split('\n').sort();

it.each(TRANSCRIPTS)('berth plan %s', async (command, expected) => {
  const { out, err } = await cloud.command(command.replace(UUID, plan).split(' '));
  plan = UUID.exec(out)?.[0] ?? plan;
  UUID.lastIndex = 0;
  expect(err).toBe('');
  expect(comparable(out)).toEqual(comparable(expected));
});
