// Runs every case file on every database. Files with options get a separate service.
import { join } from 'node:path';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { CaseFile, NamedFile } from './case-file';
import { readCaseFiles } from './case-file';
import { Recorder } from './recorder';
import { runGiven, runSteps } from './runner';
import { Variables } from './variables';

const FILES = readCaseFiles(join(__dirname, 'arcs'));
const SHARING = FILES.filter(({ content }) => content.service === undefined);
const APART = FILES.filter(({ content }) => content.service !== undefined);

const recorder = new Recorder();
afterAll(() => recorder.write());

function runFile({ file, content }: NamedFile<CaseFile>, service: () => TestService): void {
  it.each(content.cases.map((each): [string, typeof each] => [each.name, each]))('%s', async (name, each) => {
    const caseName = `${file}: ${name}`;
    const variables = new Variables(caseName);
    const run = { service: service(), recorder, caseName, variables, defaultAt: 'newest' };
    await runGiven(run, [...(content.given ?? []), ...(each.given ?? [])]);
    await runSteps(run, each.steps);
  });
}

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let shared: TestService;
  beforeAll(async () => {
    shared = await startTestService(kind);
  });
  afterAll(() => shared.stop());

  describe.each(SHARING.map((file): [string, typeof file] => [file.file, file]))('%s', (_, file) => {
    runFile(file, () => shared);
  });
});

describe.each(testDatabaseKinds())('with their own options, on %s', (kind) => {
  describe.each(APART.map((file): [string, typeof file] => [file.file, file]))('%s', (_, file) => {
    let service: TestService;
    beforeAll(async () => {
      service = await startTestService(kind, { overrides: file.content.service ?? {} });
    });
    afterAll(() => service.stop());
    runFile(file, () => service);
  });
});
