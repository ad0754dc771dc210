// `berth openrc`: prints the settings that OpenStack clients need for this service, for a shell or as a clouds.yaml.
import type { Command } from 'commander';
import { Option } from 'commander';
import { stringify } from 'yaml';
import type { BerthConfig } from '../options';
import { hasIdentity, isPracticeCloudOn, REGION } from '../practice-cloud/practice-cloud-config';
import type { CommandContext } from './command-context';
import { CommandFailed, runs } from './command-context';

interface OpenrcOptions {
  readonly url?: string | undefined;
  readonly user: string;
  readonly project: string;
  readonly clouds?: true;
  readonly cloud: string;
}

export function addOpenrc(program: Command, context: CommandContext): void {
  program
    .command('openrc')
    .description('print what the openstack command needs to reach this service: for a shell, or as a clouds.yaml')
    .option('--clouds', 'print a clouds.yaml')
    .option('--cloud <name>', 'what the cloud is called in it', 'berth')
    .option('--user <name>', 'who asks; with static tokens, the name of the token', 'admin')
    .option('--project <name>', 'for which project', 'admin')
    .addOption(new Option('--url <url>', 'URL of the service, instead of the configured one (BERTH_URL)'))
    .action(
      runs(context, async (options: OpenrcOptions) => {
        const { config } = await context.loadConfig();
        refuseWithoutPracticeCloud(config);
        const facts = factsOf({ url: context.env['BERTH_URL'], ...options }, config);
        context.stdout(options.clouds ? cloudsYaml(options.cloud, facts) : openrc(facts));
      }),
    );
}

function refuseWithoutPracticeCloud(config: BerthConfig): void {
  if (!isPracticeCloudOn(config)) {
    throw new CommandFailed(
      'the practice cloud is off: set [practice_cloud] enabled = true to serve the clients of OpenStack',
    );
  }
  if (!hasIdentity(config)) {
    throw new CommandFailed('the Identity service is Keystone: its own openrc and catalogue lead to this service');
  }
}

interface Facts {
  readonly authUrl: string;
  readonly user: string;
  readonly project: string;
  /** Whether any password is accepted. Otherwise the password is a secret and is not printed. */
  readonly isAnyPassword: boolean;
}

const factsOf = ({ url, user, project }: OpenrcOptions, config: BerthConfig): Facts => ({
  authUrl: `${(url ?? urlOf(config)).replace(/\/+$/, '')}/identity/v3`,
  user,
  project,
  isAnyPassword: config.api.auth_strategy === 'noauth2',
});

/** A wildcard listen address is replaced with the loopback address. */
function urlOf({ server: { host, port }, berth }: BerthConfig): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const scheme = berth.tls_cert === null ? 'http' : 'https';
  return `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Quotes a text for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function openrc({ authUrl, user, project, isAnyPassword }: Facts): string {
  const settings: Readonly<Record<string, string>> = {
    OS_AUTH_TYPE: 'password',
    OS_AUTH_URL: quoted(authUrl),
    OS_IDENTITY_API_VERSION: '3',
    OS_USERNAME: quoted(user),
    // The password is a token, thus a secret: the output refers to a variable instead.
    OS_PASSWORD: isAnyPassword ? 'any' : '"$BERTH_TOKEN"',
    OS_PROJECT_NAME: quoted(project),
    OS_USER_DOMAIN_ID: 'default',
    OS_PROJECT_DOMAIN_ID: 'default',
  };
  const lines = Object.entries(settings).map(([name, value]) => `export ${name}=${value}\n`);
  // Unsets variables of an earlier openrc file or of the README, which would conflict with the new ones.
  return `unset OS_TOKEN OS_ENDPOINT OS_CLOUD\n${lines.join('')}`;
}

function cloudsYaml(cloud: string, { authUrl, user, project, isAnyPassword }: Facts): string {
  const auth = {
    auth_url: authUrl,
    username: user,
    ...(isAnyPassword && { password: 'any' }),
    project_name: project,
    user_domain_id: 'default',
    project_domain_id: 'default',
  };
  const settings = { auth_type: 'password', identity_api_version: 3, region_name: REGION, auth };
  const note = isAnyPassword ? '' : '# The password is the token, as auth.password or in OS_PASSWORD.\n';
  return note + stringify({ clouds: { [cloud]: settings } }, { schema: 'yaml-1.1' });
}
