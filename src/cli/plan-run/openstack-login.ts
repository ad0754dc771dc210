// Credentials of an operator from OS_* variables or clouds.yaml, and the token and endpoint that Keystone gives for them.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import type { CommandContext } from '../command-context';
import { CommandFailed } from '../command-context';
import { reasonOf } from '../remote/service-client';

/** By the names of clouds.yaml: `auth_url`, `username`, … */
export type OpenStackSettings = Readonly<Record<string, string | undefined>>;

const TIMEOUT_MS = 60_000;

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

type Surroundings = Pick<CommandContext, 'env' | 'cwd'>;

/** Throws CommandFailed if there are none. */
export function openStackSettings({ env, cwd }: Surroundings): OpenStackSettings {
  const variables = Object.entries(env).filter(([name, value]) => name.startsWith('OS_') && value);
  const given = Object.fromEntries(variables.map(([name, value]) => [name.slice(3).toLowerCase(), value]));
  const settings = given['cloud'] === undefined ? given : settingsOfCloud(given, { env, cwd });
  if (settings['auth_url'] !== undefined) return settings;
  throw new CommandFailed(
    'There are no credentials for OpenStack. Set OS_AUTH_URL and the other OS_ variables, or OS_CLOUD for a clouds.yaml.',
  );
}

/** Of the first file that exists. The password can be in OS_PASSWORD instead. */
function settingsOfCloud(given: OpenStackSettings, { env, cwd }: Surroundings): OpenStackSettings {
  const { cloud = '', client_config_file: named, password } = given;
  const folders = [cwd, join(env['HOME'] ?? homedir(), '.config/openstack'), '/etc/openstack'];
  const paths = named === undefined ? folders.map((folder) => join(folder, 'clouds.yaml')) : [named];
  const path = paths.find((each) => existsSync(each));
  const found = path && cloudIn(path, cloud);
  if (!path || !found) throw new CommandFailed(`Cloud '${cloud}' of OS_CLOUD is not in ${path ?? paths.join(', ')}.`);
  return { password, ...found, ...cloudIn(join(dirname(path), 'secure.yaml'), cloud) };
}

type Values = Readonly<Record<string, unknown>>;

function cloudIn(path: string, cloud: string): OpenStackSettings | undefined {
  if (!existsSync(path)) return undefined;
  const { clouds } = (parse(readFileSync(path, 'utf8')) ?? {}) as { clouds?: Readonly<Record<string, Values>> };
  if (clouds?.[cloud] === undefined) return undefined;
  const { auth, ...others } = clouds[cloud];
  const values = Object.entries({ ...others, ...(auth as Values) }).filter(([, value]) => typeof value !== 'object');
  return Object.fromEntries(values.map(([name, value]) => [name, String(value)]));
}

type Answer = { readonly token?: { readonly catalog?: Catalog }; readonly error?: { readonly message?: string } };

/** A token, and the URL of the compute service without a slash at its end. Throws CommandFailed. */
export async function logIn(settings: OpenStackSettings): Promise<Record<'token' | 'endpoint', string>> {
  const base = withoutSlash(settings['auth_url'] ?? '');
  const url = `${base.endsWith('/v3') ? base : `${base}/v3`}/auth/tokens`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ auth: { identity: identityOf(settings), ...scopeOf(settings) } }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new CommandFailed(`${url} does not answer: ${reasonOf(error)}.`);
  });
  const document = (await response.json().catch(() => ({}))) as Answer;
  const token = response.headers.get('x-subject-token');
  if (response.ok && token !== null) return { token, endpoint: endpointIn(document.token?.catalog ?? [], settings) };
  throw new CommandFailed(
    `${url} refuses the credentials: ${document.error?.message ?? 'no reason'} (${response.status}).`,
  );
}

type Catalog = readonly {
  readonly type: string;
  readonly endpoints: readonly { readonly interface: string; readonly region: string; readonly url: string }[];
}[];

/** A user or project: by id, or by name in a domain. */
function referenceOf(settings: OpenStackSettings, of: 'user' | 'project', name: string | undefined): object {
  const id = settings[`${of}_id`];
  if (id !== undefined) return { id };
  const domain = settings[`${of}_domain_name`];
  return { name, domain: domain === undefined ? { id: settings[`${of}_domain_id`] ?? 'default' } : { name: domain } };
}

function identityOf(settings: OpenStackSettings): object {
  const { auth_type: type = '', application_credential_secret: secret, token, password } = settings;
  const user = (): object => referenceOf(settings, 'user', settings['username']);
  if (secret !== undefined) {
    const { application_credential_id: id, application_credential_name: name } = settings;
    const credential = id === undefined ? { name, user: user() } : { id };
    return { methods: ['application_credential'], application_credential: { ...credential, secret } };
  }
  if (token !== undefined && !type.includes('password')) return { methods: ['token'], token: { id: token } };
  if (password === undefined) throw new CommandFailed('There is no password, token or application credential.');
  return { methods: ['password'], password: { user: { ...user(), password } } };
}

function scopeOf(settings: OpenStackSettings): object {
  const { application_credential_secret: secret, project_id: id, project_name: name, system_scope: system } = settings;
  if (secret !== undefined) return {};
  if (system !== undefined) return { scope: { system: { all: true } } };
  return id === undefined && name === undefined ? {} : { scope: { project: referenceOf(settings, 'project', name) } };
}

function endpointIn(catalog: Catalog, settings: OpenStackSettings): string {
  const { region_name: region, interface: given, endpoint_type: former } = settings;
  const wanted = (given ?? former ?? 'public').replace(/URL$/, '');
  const endpoints = catalog.filter(({ type }) => type === 'compute').flatMap((entry) => entry.endpoints);
  const found = endpoints.find((each) => each.interface === wanted && (region === undefined || each.region === region));
  if (found !== undefined) return withoutSlash(found.url);
  const where = region === undefined ? '' : ` in region '${region}'`;
  throw new CommandFailed(`The catalog of Keystone has no ${wanted} endpoint of the compute service${where}.`);
}
