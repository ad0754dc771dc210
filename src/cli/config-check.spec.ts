// `berth config check` judges what the start would judge.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from './run-cli';

let directory: string;
let said: string[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'berth-check-'));
  said = [];
  for (const stream of [process.stdout, process.stderr]) {
    jest.spyOn(stream, 'write').mockImplementation((text) => {
      said.push(String(text));
      return true;
    });
  }
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(directory, { recursive: true, force: true });
});

async function check(
  text: string,
  ...options: readonly string[]
): Promise<{ readonly code: number; readonly said: string }> {
  const file = join(directory, 'b.conf');
  writeFileSync(file, `[placement_database]\nconnection = sqlite:///${directory}/x.db\n${text}`);
  const code = await runCli(['config', 'check', ...options, file]);
  jest.restoreAllMocks();
  return { code, said: said.join('') };
}

it.each<[string, string, string]>([
  [
    'a filter',
    '[filter_scheduler]\nenabled_filters = NoSuchFilter',
    'Scheduler Host Filter NoSuchFilter could not be found',
  ],
  [
    'a filter under its old name',
    '[DEFAULT]\nscheduler_default_filters = NoSuchFilter',
    'NoSuchFilter could not be found',
  ],
  ['a weigher', '[filter_scheduler]\nweight_classes = NoSuchWeigher', 'NoSuchWeigher could not be found'],
  [
    'a driver',
    '[DEFAULT]\nscheduler_driver = ironic_scheduler',
    'Scheduler driver ironic_scheduler could not be found',
  ],
  ['an alias', '[pci]\nalias = {"name": 1}', 'error: '],
])('finds %s that nobody registered', async (_, text, expected) => {
  const { code, said: told } = await check(text);
  expect(told).toContain(expected);
  expect(told).not.toContain('is valid');
  expect(code).toBe(1);
});

it('finds nothing wrong with a configuration of an old release', async () => {
  const { code, said: told } = await check(
    '[DEFAULT]\nscheduler_driver = nova.scheduler.filter_scheduler.FilterScheduler\n' +
      'scheduler_available_filters = nova.scheduler.filters.standard_filters\n' +
      'scheduler_default_filters = RamFilter,ComputeFilter,nova.scheduler.filters.core_filter.CoreFilter',
    '--lenient',
  );
  expect(told).toContain('The configuration is valid.');
  expect(code).toBe(0);
});

it.each([[['serve', '--frobnicate']], [['serve', 'now']]])('%j is no command line', async (args) => {
  expect(await runCli(args)).toBe(2);
});
