// The contract's routes compared with the router's: the same set, policies and methods; and the ladder of every route
// in every era.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { POLICY_RULES } from '../../src/platform/auth/policy-rules';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import { erasOf, inBraces, isPlacement, nameOf, routeContracts } from './contract';
import type { Ladder } from './ladder';
import { ladderEras, ROUTES, stepsOf } from './ladder';
import { Matcher } from './matchers';
import { demandsOf, eraName, versionsOf } from './matrix';
import { Recorder, REPORT_FOLDER } from './recorder';
import type { Run } from './runner';
import { runGiven, runStep, runSteps } from './runner';
import { Variables } from './variables';

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'PROPFIND', 'QUERY'];

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  const recorder = new Recorder();
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(async () => {
    recorder.write();
    await service.stop();
  });

  const runOf = (caseName: string, defaultAt: string): Run => ({
    service,
    recorder,
    caseName,
    variables: new Variables(caseName),
    defaultAt,
  });

  it('serves exactly the paths and methods of the contract', () => {
    const served = [...service.routes].filter(([path]) => isPlacement(path));
    const shown = served.map(([path, methods]) => `${inBraces(path)}: ${[...methods].sort().join(', ')}`);
    const declared = ROUTES.paths.map(({ path, allow }) => `${path}: ${allow.split(', ').sort().join(', ')}`);
    expect(shown.sort()).toEqual(declared.sort());
  });

  it('has exactly one ladder for every route', () => {
    const served = routeContracts(service.app).map(nameOf);
    expect(ROUTES.ladders.map(({ route }) => route).sort()).toEqual([...served].sort());
  });

  it('guards every route except the root by a rule of Placement, and every rule has a route', () => {
    const guarding = routeContracts(service.app).flatMap(({ policy }) => policy?.rule ?? []);
    const rules = POLICY_RULES.map(({ name }) => name).filter((name) => name.startsWith('placement:'));
    expect([...new Set(guarding)].sort()).toEqual([...rules].sort());
    expect(
      routeContracts(service.app)
        .filter(({ policy }) => policy === undefined)
        .map(nameOf),
    ).toEqual(['GET /']);
  });

  it('declares the rungs of the ladders', () => {
    for (const contract of routeContracts(service.app)) {
      const { chain, since, below } = ladderOf(nameOf(contract));
      const rungs = chain.map((rung) => (typeof rung === 'object' ? rung.status : rung));
      expect([nameOf(contract), 'takes JSON', rungs.includes(415)]).toEqual([
        nameOf(contract),
        'takes JSON',
        contract.takesJson !== undefined,
      ]);
      expect([nameOf(contract), 'answers JSON', rungs.includes(406)]).toEqual([
        nameOf(contract),
        'answers JSON',
        contract.answersJson,
      ]);
      expect([nameOf(contract), since, below]).toEqual([
        nameOf(contract),
        contract.since?.feature,
        contract.since?.status === 405 ? 405 : undefined,
      ]);
    }
  });

  describe.each(ROUTES.paths.map((path): [string, typeof path] => [path.path, path]))(
    '%s',
    (path, { sample, allow }) => {
      it.each(['oldest', 'newest', 'none'])('allows exactly its methods, at version %s', async (at) => {
        const run = runOf(`${path}: other methods (${at})`, at);
        for (const method of METHODS.filter((each) => !allow.split(', ').includes(each))) {
          await runStep(run, { do: `${method} ${sample}`, status: 405, shows: { allow } });
        }
      });
    },
  );

  it.each(ROUTES.paths.flatMap(withEmptyVariables))('%s does not exist for any method', async (path) => {
    const run = runOf(path, 'newest');
    for (const method of METHODS) {
      await runStep(run, { do: `${method} ${path}`, status: 404, shows: { allow: new Matcher('absent', '') } });
    }
  });

  describe.each(ROUTES.ladders.map((ladder): [string, Ladder] => [ladder.route, ladder]))('%s', (route, ladder) => {
    it('validates in the order of the contract, in every era', async () => {
      const contract = routeContracts(service.app).find((each) => nameOf(each) === route);
      if (contract === undefined) throw new Error(`${route} is not served`);
      for (const { first } of ladderEras(ladder, contract)) {
        const run = runOf(`${route}: ladder at ${first.text}`, first.text);
        await runGiven(run, ladder.given ?? []);
        await runSteps(run, stepsOf(ladder, first));
      }
    });
  });

  if (REPORT_FOLDER !== undefined && kind === 'sqlite') {
    it('writes the statuses that the matrix requires', () => {
      const demands = routeContracts(service.app).flatMap((contract) => {
        const ladder = ladderOf(nameOf(contract));
        return demandsOf(contract, ladder, ladderEras(ladder, contract));
      });
      const [always] = erasOf([]);
      const others = ROUTES.paths.flatMap(({ path }) =>
        always === undefined
          ? []
          : [
              {
                route: `(other) ${path}`,
                era: eraName(always),
                versions: versionsOf(always),
                statuses: ['405'],
                excluded: [],
              },
            ],
      );
      writeFileSync(join(REPORT_FOLDER ?? '', 'demands.json'), JSON.stringify([...demands, ...others], null, 1));
    });
  }
});

/** For each variable of a path, the sample with that variable empty. */
function withEmptyVariables({ path, sample }: (typeof ROUTES.paths)[number]): readonly string[] {
  const values = sample.split('/');
  return path.split('/').flatMap((part, at) => (part.startsWith('{') ? [values.with(at, '').join('/')] : []));
}

function ladderOf(route: string): Ladder {
  const ladder = ROUTES.ladders.find((each) => each.route === route);
  if (ladder === undefined) throw new Error(`no ladder for ${route}`);
  return ladder;
}
