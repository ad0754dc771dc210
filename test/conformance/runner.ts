// Runs steps against a service: fills in the words, sends, and compares. In addition to what a step expects, every answer is
// held to the rules that all answers obey: request id, version headers, content type, shape of errors.
import { STATUS_CODES } from 'node:http';
import { MICROVERSIONS } from '../../src/placement/microversions';
import type { ApiVersion, Feature } from '../../src/platform/microversion/api-version';
import type { TestRequest, TestResponse, TestService } from '../support/service';
import type { At, Caller, Given, GivenClaim, GivenProvider, Step } from './case-file';
import { mismatch, NOTHING, valueAt } from './matchers';
import type { Recorder } from './recorder';
import type { Variables } from './variables';

const NO_ERROR_DOCUMENT = new Set([401]);
const REQUEST_ID = /^req-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export interface Run {
  readonly service: Pick<TestService, 'request'>;
  readonly recorder: Recorder;
  readonly caseName: string;
  readonly variables: Variables;
  readonly defaultAt: At;
}

/** Text of the version header; null for none. */
function versionOf(at: At): string | null {
  if (at === 'newest') return MICROVERSIONS.newest.text;
  if (at === 'oldest') return MICROVERSIONS.oldest.text;
  if (at === 'none') return null;
  if (MICROVERSIONS.find(at) !== undefined) return at;
  const [when, name = ''] = at.split(' ');
  const feature = name as Feature;
  const first = MICROVERSIONS.all.find((version) => version.has(feature));
  if (first === undefined) throw new Error(`no feature is called '${name}' (at: ${at})`);
  if (when === 'from') return first.text;
  const before = MICROVERSIONS.all.filter((version) => !version.has(feature)).at(-1);
  if (when !== 'before' || before === undefined) throw new Error(`not a version: '${at}'`);
  return before.text;
}

function callerHeaders(caller: Caller | undefined): Readonly<Record<string, string | null>> {
  if (caller === undefined) return {};
  if (caller === 'nobody') return { 'x-auth-token': null, 'x-roles': null };
  const { user = 'somebody', project, roles, isSystemScoped } = caller;
  return {
    'x-auth-token': project === undefined ? user : `${user}:${project}`,
    'x-roles': roles?.join(',') ?? null,
    ...(isSystemScoped === true && { 'openstack-system-scope': 'all' }),
  };
}

export async function runGiven(run: Run, given: readonly Given[]): Promise<void> {
  for (const item of given) {
    if ('provider' in item) await makeProvider(run, item);
    else if ('claim' in item) await makeClaim(run, item);
    else await runStep({ ...run, defaultAt: 'newest' }, item);
  }
}

export async function runSteps(run: Run, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await runStep(run, step);
}

/** Throws with all faults of the answer. */
export async function runStep(run: Run, step: Step): Promise<TestResponse> {
  const { variables } = run;
  const [method = '', path = ''] = variables.text(step.do).split(' ');
  const version = versionOf(step.at ?? run.defaultAt);
  const body =
    step.bytes === undefined
      ? step.text === undefined
        ? variables.fill(step.json)
        : variables.text(step.text)
      : Buffer.from(step.bytes, 'base64');
  const request: TestRequest = {
    method: method as NonNullable<TestRequest['method']>,
    path,
    version,
    headers: { ...callerHeaders(variables.fill(step.as)), ...variables.fill(step.headers ?? {}) },
    ...(body !== undefined && { body }),
  };
  const response = await run.service.request(request);
  run.recorder.record({
    caseName: run.caseName,
    method,
    path,
    version: versionInForce(request)?.text ?? null,
    status: response.status,
  });
  const problems = [
    ...statusProblems(response, step),
    ...expectationProblems(response, step, variables),
    ...commonProblems(request, response, step),
  ];
  if (problems.length > 0) throw new Error(report(run, request, response, problems));
  for (const [word, from] of Object.entries(step.keep ?? {})) variables.set(word, kept(response, variables.text(from)));
  return response;
}

function report(run: Run, request: TestRequest, response: TestResponse, problems: readonly string[]): string {
  const sent = request.body === undefined || Buffer.isBuffer(request.body) ? '' : ` ${JSON.stringify(request.body)}`;
  return [
    `${run.caseName}`,
    `  ${request.method} ${request.path} at ${request.version ?? 'no version'}${sent}`,
    ...problems.map((problem) => `  - ${problem}`),
    `  answer: ${response.status} ${JSON.stringify(response.headers)}`,
    `  ${response.text.slice(0, 2000)}`,
  ].join('\n');
}

function kept(response: TestResponse, from: string): unknown {
  const value = from.startsWith('header ') ? response.headers[from.slice(7)] : valueAt(response.json, from);
  if (value === NOTHING || value === undefined) throw new Error(`nothing to keep at ${from}: ${response.text}`);
  return value;
}

function statusProblems(response: TestResponse, step: Step): readonly string[] {
  return response.status === step.status ? [] : [`expected status ${step.status}, got ${response.status}`];
}

function expectationProblems(response: TestResponse, step: Step, variables: Variables): readonly string[] {
  const problems: string[] = [];
  const judge = (what: string, actual: unknown, expected: unknown): void => {
    const problem = mismatch(actual, expected);
    if (problem !== undefined) problems.push(`${what}: ${problem}`);
  };
  for (const [path, expected] of Object.entries(variables.fill(step.sees ?? {}) as Record<string, unknown>)) {
    judge(path, valueAt(response.json, path), expected);
  }
  for (const [name, expected] of Object.entries(variables.fill(step.shows ?? {}) as Record<string, unknown>)) {
    judge(`header ${name}`, response.headers[name], expected);
  }
  if (step.says !== undefined) judge('body', response.text, variables.fill(step.says));
  const detail = String(response.json?.errors?.[0]?.detail ?? response.text);
  for (const fragment of [step.detail ?? []].flat()) {
    const text = variables.text(fragment);
    if (!detail.includes(text)) problems.push(`detail: expected to contain ${JSON.stringify(text)}`);
  }
  return problems;
}

/** The rules of the contract for every answer. */
function commonProblems(request: TestRequest, response: TestResponse, step: Step): readonly string[] {
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(problem);
  };
  const { headers } = response;
  expect(REQUEST_ID.test(String(headers['x-openstack-request-id'])), 'no proper x-openstack-request-id');
  const api = expectedVersion(request, response);
  if (api !== undefined) {
    expect(headers['openstack-api-version'] === `placement ${api.text}`, `openstack-api-version is not ${api.text}`);
    expect(/(^|, )openstack-api-version($|,)/.test(String(headers['vary'])), 'vary lacks openstack-api-version');
  }
  if (response.text === '' && request.method !== 'HEAD')
    expect(headers['content-type'] === undefined, 'a content type without a body');
  if (response.status >= 200 && response.status < 300 && response.text !== '') {
    expect(headers['content-type'] === 'application/json', 'the content type is not application/json');
    expect(api !== undefined || request.path.length > 0, 'no version');
  }
  if (
    response.status >= 400 &&
    !NO_ERROR_DOCUMENT.has(response.status) &&
    headers['content-type'] === 'application/json'
  ) {
    problems.push(...errorProblems(response, step, api));
  }
  return problems;
}

/** The version that the answer must name; undefined where none was negotiated. */
function expectedVersion(request: TestRequest, response: TestResponse): ApiVersion | undefined {
  const isPreflight = request.method === 'OPTIONS' && response.status === 200;
  return response.status === 401 || isPreflight ? undefined : versionInForce(request);
}

/** The version that the request's headers select. */
function versionInForce(request: TestRequest): ApiVersion | undefined {
  const header = request.headers?.['openstack-api-version'];
  const text = header === undefined ? (request.version ?? undefined) && `placement ${request.version}` : header;
  const outcome = MICROVERSIONS.negotiate(text ?? undefined);
  return outcome.kind === 'version' ? outcome.version : undefined;
}

function errorProblems(response: TestResponse, step: Step, api: ApiVersion | undefined): readonly string[] {
  const problems: string[] = [];
  const error = response.json?.errors?.[0];
  const is = (key: string, expected: unknown): void => {
    const problem = mismatch(valueAt(error, key), expected);
    if (problem !== undefined) problems.push(`error ${key}: ${problem}`);
  };
  is('status', response.status);
  is('title', STATUS_CODES[response.status]);
  is('request_id', response.headers['x-openstack-request-id']);
  if (!/^[^\n]+\n\n [^\n]* {0,2}$/.test(String(error?.detail))) problems.push('error detail: not of the usual shape');
  if (api?.has('errorCodes') === true) is('code', step.code ?? 'placement.undefined_code');
  else if (error !== undefined && 'code' in error) problems.push('error code: shown before there were codes');
  return problems;
}

const NEWEST = MICROVERSIONS.newest.text;

/** A set-up request, which must succeed. */
async function make(run: Run, method: 'PUT' | 'POST', path: string, body?: unknown): Promise<TestResponse> {
  const request: TestRequest = { method, path, version: NEWEST, ...(body !== undefined && { body }) };
  const response = await run.service.request(request);
  if (response.status >= 300) throw new Error(report(run, request, response, ['this was meant to be given']));
  return response;
}

async function makeNames(run: Run, kind: 'traits' | 'resource_classes', names: readonly string[]): Promise<void> {
  for (const name of names) if (name.startsWith('CUSTOM_')) await make(run, 'PUT', `/${kind}/${name}`);
}

async function makeProvider(run: Run, given: GivenProvider): Promise<void> {
  const { provider: uuid, name, parent, inventory, traits, aggregates } = run.variables.fill(given);
  const path = `/resource_providers/${uuid}`;
  await make(run, 'POST', '/resource_providers', {
    name: name ?? `provider ${uuid}`,
    uuid,
    ...(parent !== undefined && { parent_provider_uuid: parent }),
  });
  let generation = 0;
  if (inventory !== undefined) {
    await makeNames(run, 'resource_classes', Object.keys(inventory));
    const records = Object.entries(inventory).map(([name, record]) => [
      name,
      typeof record === 'number' ? { total: record } : record,
    ]);
    const body = { resource_provider_generation: generation, inventories: Object.fromEntries(records) };
    generation = (await make(run, 'PUT', `${path}/inventories`, body)).json.resource_provider_generation;
  }
  if (traits !== undefined) {
    await makeNames(run, 'traits', traits);
    const body = { resource_provider_generation: generation, traits };
    generation = (await make(run, 'PUT', `${path}/traits`, body)).json.resource_provider_generation;
  }
  if (aggregates !== undefined) {
    await make(run, 'PUT', `${path}/aggregates`, { resource_provider_generation: generation, aggregates });
  }
}

async function makeClaim(run: Run, given: GivenClaim): Promise<void> {
  const { claim, on, project, user, type } = run.variables.fill(given);
  const allocations = Object.entries(on).map(([provider, resources]) => [provider, { resources }]);
  await make(run, 'PUT', `/allocations/${claim}`, {
    allocations: Object.fromEntries(allocations),
    project_id: project ?? 'project',
    user_id: user ?? 'user',
    consumer_generation: null,
    consumer_type: type ?? 'INSTANCE',
  });
}
