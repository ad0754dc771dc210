// The options of `berth place`, `explain`, `why` and `capacity` that describe a request, and the request of them.
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { withoutTarget } from '../../scheduler/after-decision/request-again';
import type { SelectDestinationsDto } from '../../scheduler/request/request.schema';
import { CommandFailed } from '../command-context';
import { instanceUuid } from './instances';
import type { Printing } from './printing';
import type { ServiceClient } from './service-client';

type Hints = Readonly<Record<string, readonly string[]>>;

export interface RequestOptions extends Printing {
  readonly flavor?: string;
  readonly image?: string;
  readonly zone?: string;
  readonly host?: string;
  readonly project?: string;
  readonly user?: string;
  readonly group?: string;
  readonly hint?: Hints;
  readonly instance?: string;
}

/** Adds the options. Without `--flavor` and `--instance` the command line is invalid. */
export const describesRequest = (command: Command): Command =>
  command
    .option('--flavor <flavor>', 'a registered flavor, by name or id')
    .option('--image <image>', 'a registered image, by name or uuid')
    .option('--zone <name>', 'an availability zone')
    .option('--project <id>', 'the project of the instances')
    .option('--user <id>', 'the user of the instances')
    .option('--group <group>', 'a server group, by name or uuid')
    .option('--hint <key=value>', 'a scheduler hint; may be repeated', hintsWith)
    .option(
      '--instance <instance>',
      'the request of this instance, by uuid or name; the other options replace its parts',
    )
    .hook('preAction', (asked) => {
      const { flavor, instance } = asked.opts<RequestOptions>();
      if (flavor === undefined && instance === undefined)
        asked.error("error: give '--flavor <flavor>' or '--instance <instance>'");
    });

function hintsWith(text: string, before: Hints = {}): Hints {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new InvalidArgumentError('It must be KEY=VALUE.');
  return { ...before, [key]: [...(before[key] ?? []), value] };
}

/** Where an instance is, with its request. */
interface PlacedInstance {
  readonly uuid: string;
  readonly host: string;
  readonly request: SelectDestinationsDto;
}

type Asked = Partial<SelectDestinationsDto>;

/** The request of new instances, without their number. Project and user are absent unless they are given. */
export async function requestOf(client: ServiceClient, options: RequestOptions): Promise<Asked> {
  const instance = await instanceOf(client, options);
  return instance === null ? given(options) : likeThat(instance, options);
}

/** The request of one new instance; with `--instance`, of that instance on another host. Fails if it is on `host`. */
export async function moveOf(client: ServiceClient, options: RequestOptions, host?: string): Promise<Asked> {
  const instance = await instanceOf(client, options);
  if (instance === null) return { ...given(options), num_instances: 1 };
  if (instance.host === host) throw new CommandFailed(`Instance ${instance.uuid} is on ${host} already.`);
  return { ...likeThat(instance, options), instances: [instance.uuid], ignore_hosts: [instance.host] };
}

const instanceOf = async (client: ServiceClient, { instance }: RequestOptions): Promise<PlacedInstance | null> =>
  instance === undefined ? null : client.get(`/scheduler/instances/${await instanceUuid(client, instance)}`);

const likeThat = ({ request }: PlacedInstance, options: RequestOptions): Asked => ({
  ...withoutTarget(request),
  ...given(options),
});

const given = ({ flavor, image, zone, host, project, user, group, hint }: RequestOptions): Asked => ({
  ...(flavor !== undefined && { flavor }),
  ...(image !== undefined && { image }),
  ...(zone !== undefined && { availability_zone: zone }),
  ...(host !== undefined && { requested_destination: { host } }),
  ...(project !== undefined && { project_id: project }),
  ...(user !== undefined && { user_id: user }),
  ...(group !== undefined && { instance_group: group }),
  ...(hint !== undefined && { scheduler_hints: hint }),
});
