// Commands that call a running service, for operators without an OpenStack client.
import type { Command } from 'commander';
import { Option } from 'commander';
import { SERVICE_STATES, SERVICE_STATUSES } from '../../compute/services/service-liveness';
import { OUTCOMES } from '../../scheduling-rules/pipeline/decision';
import type { CommandContext } from '../command-context';
import { addGroup, pastTime } from '../command-context';
import { showAdvice } from './advice';
import { changeMembers, createAggregate, deleteAggregate, showAggregates } from './aggregates';
import { describesRequest } from './asked-request';
import { showCandidates } from './candidates';
import { showCapacity } from './capacity';
import { showChanges, showDecisions } from './decisions';
import { showFlavors } from './flavors';
import { setStatus, showHost, showHosts } from './hosts';
import { releaseInstances, showInstances, unpinZones } from './instances';
import { explain, place } from './place';
import { addPlanCommands } from './plan-commands';
import { showProjects } from './projects';
import { showGroups, showImages, showZones } from './registries';
import { asks, countUpTo, many, remote, watchOption } from './remote-command';
import { changeTraits, createTrait, deleteTrait, showTraits } from './traits';
import { showWhy } from './why';

/** Candidates that are shown by default, and at most. */
const CANDIDATES_SHOWN = 10;
const CANDIDATES_SHOWN_MAX = 1_000;
/** Decisions and instances that are listed by default, and at most. */
const ENTRIES_LISTED = 50;
const ENTRIES_LISTED_MAX = 20_000;
const TIMES = '1h, 2d, yesterday, 2026-11-27, 2026-11-27T08:00:00Z';
/** Instances of one request. */
const INSTANCES_PLACED_MAX = 1_000;

export function addRemoteCommands(program: Command, context: CommandContext): void {
  addPlace(program, context);
  addPlanCommands(program, context);
  addDecisions(program, context);
  addHosts(program, context);
  addInstancesAndFlavors(program, context);
  addLists(program, context);
  addServices(program, context);
  addTraits(program, context);
  addAggregates(program, context);
  addCandidates(program, context);
}

function addPlace(program: Command, context: CommandContext): void {
  const request = (name: string, summary: string, examples: readonly string[]): Command =>
    describesRequest(remote(program, context, name, summary, examples))
      .option('--host <name>', 'only on this host')
      .option('--count <n>', 'instances', countUpTo(INSTANCES_PLACED_MAX), 1);
  request('place', 'select hosts for new instances and claim their resources', [
    'place --flavor m1.small',
    'place --flavor m1.small --count 3 --zone az1 --dry-run',
    'place --flavor m1.small --name db-1 --project web --group db --hint different_host=UUID',
  ])
    .option('--name <name>', 'the name of the instance; of several NAME-1, NAME-2 …')
    .option('--dry-run', 'select hosts and claim nothing')
    .action(asks(context, place));
  request('explain', 'show which host would be selected, and why every other host would not', [
    'explain --flavor m1.small',
    'explain --flavor m1.small --image ubuntu -o json',
  ]).action(asks(context, explain));
  remote(program, context, 'release', 'release what instances claimed, so that it is free again', [
    'release 0f1e2d3c-4b5a-4678-8b9a-0c1d2e3f4a5b',
    'release web-1 web-2',
  ])
    .argument('<instance...>', 'uuids, or names that one instance has')
    .action(asks(context, releaseInstances));
  describesRequest(
    remote(program, context, 'why', 'explain whether a decision would select or reject one host now', [
      'why compute-1 --flavor m1.small --project web',
      'why compute-1 --instance UUID',
    ]).argument('<host>', 'the name of the host'),
  ).action(asks(context, showWhy));
  describesRequest(
    remote(
      program,
      context,
      'capacity',
      'show how many more instances of a flavor fit on each host, and why other hosts are excluded',
      ['capacity --flavor m1.small', 'capacity --flavor m1.small --zone az1'],
    ),
  )
    .addOption(watchOption())
    .action(asks(context, showCapacity));
}

function addDecisions(program: Command, context: CommandContext): void {
  remote(program, context, 'decisions', 'list recorded decisions, the newest first, or show one with its reasons', [
    'decisions',
    'decisions --outcome no_valid_host --since 2d',
    'decisions req-1a2b',
  ])
    .argument('[id]', 'the request id of one decision')
    .option('--host <name>', 'that selected this host')
    .option('--instance <uuid>', 'about this instance')
    .addOption(new Option('--outcome <outcome>', 'with this outcome').choices(OUTCOMES))
    .option('--project <id>', 'for this project')
    .option('--since <time>', `made since then: ${TIMES}`, pastTime)
    .addOption(limitOption())
    .addOption(watchOption())
    .action(asks(context, showDecisions));
  remote(program, context, 'changes', 'show what changed: hosts, refusals and use', [
    'changes --since yesterday',
    'changes --since 2026-11-27T08:00:00Z -o wide',
  ])
    .option('--since <time>', `since then (default: yesterday): ${TIMES}`, pastTime)
    .addOption(limitOption())
    .action(asks(context, showChanges));
}

const limitOption = (): Option =>
  new Option('--limit <n>', 'how many to list').argParser(countUpTo(ENTRIES_LISTED_MAX)).default(ENTRIES_LISTED);

function addHosts(program: Command, context: CommandContext): void {
  remote(program, context, 'hosts', 'list the compute hosts with zone, state and use', [
    'hosts',
    'hosts --zone az1 --status disabled',
    'hosts -o name',
  ])
    .option('--zone <name>', 'in this availability zone')
    .addOption(new Option('--status <status>', 'only such services').choices(SERVICE_STATUSES))
    .addOption(new Option('--state <state>', 'only such services').choices(SERVICE_STATES))
    .addOption(watchOption())
    .action(asks(context, showHosts));
  remote(program, context, 'host', 'show one host: its service, its providers and what is left on each', [
    'host compute-1',
  ])
    .argument('<host>', 'the name of the host')
    .action(asks(context, showHost));
}

function addInstancesAndFlavors(program: Command, context: CommandContext): void {
  const instances = remote(program, context, 'instances', 'list the instances that Berth placed', [
    'instances --host compute-1',
    'instances --name web -o wide',
  ])
    .option('--name <part>', 'a part of the name, or the first 8 or more digits of the uuid')
    .option('--host <name>', 'on this host')
    .option('--project <id>', 'of this project')
    .option('--flavor <flavor>', 'of this flavor, by name or id')
    .addOption(limitOption())
    .addOption(watchOption())
    .enablePositionalOptions()
    .action(asks(context, showInstances));
  remote(instances, context, 'unpin-zone', 'let instances move out of the availability zone that they asked for', [
    'instances unpin-zone 0f1e2d3c-4b5a-4678-8b9a-0c1d2e3f4a5b',
  ])
    .argument('<uuid...>', 'the uuids of the instances')
    .action(asks(context, unpinZones));
  remote(program, context, 'projects', 'list use by project, or show one with its largest consumers', [
    'projects --sort VCPU',
    'projects web',
  ])
    .argument('[id]', 'the id of one project')
    .option('--sort <class>', 'the largest use of this resource class first')
    .action(asks(context, showProjects));
  remote(program, context, 'flavors', 'list the flavors, and how many more instances of each fit', [
    'flavors',
    'flavors -o wide',
  ]).action(asks(context, showFlavors));
}

function addLists(program: Command, context: CommandContext): void {
  for (const [name, summary, show] of [
    ['groups', 'list the server groups, with the number of members and hosts', showGroups],
    ['images', 'list the registered images with their properties', showImages],
    ['zones', 'list the availability zones with the state of their hosts', showZones],
    ['advice', 'list the problems of the cloud, and the commands that solve them', showAdvice],
  ] as const) {
    const command = remote(program, context, name, summary, [name, `${name} -o json`]).action(asks(context, show));
    if (name === 'advice') command.addOption(watchOption());
  }
}

function addServices(program: Command, context: CommandContext): void {
  remote(program, context, 'enable', 'let hosts receive new instances', ['enable compute-1'])
    .argument('<host...>', 'the names of the hosts')
    .action(asks(context, setStatus('enabled')));
  remote(program, context, 'disable', 'keep new instances from hosts', ['disable compute-1 --reason "broken fan"'])
    .argument('<host...>', 'the names of the hosts')
    .option('--reason <text>', 'why; operators read it in refusals')
    .action(asks(context, setStatus('disabled')));
}

function addTraits(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'trait', 'list and change traits, and the traits of hosts');
  remote(group, context, 'list', 'list traits', ['trait list --name avx', 'trait list --associated'])
    .option('--name <part>', 'a part of the name')
    .option('--associated', 'only traits that a provider has')
    .action(asks(context, showTraits));
  for (const [name, change] of [
    ['create', createTrait],
    ['delete', deleteTrait],
  ] as const) {
    remote(group, context, name, `${name} a custom trait`, [`trait ${name} CUSTOM_LICENSED`])
      .argument('<trait>', 'its name, with CUSTOM_ in front')
      .action(asks(context, change));
  }
  for (const [name, summary] of [
    ['add', 'give a trait to hosts'],
    ['remove', 'take a trait from hosts'],
  ] as const) {
    remote(group, context, name, summary, [`trait ${name} CUSTOM_LICENSED compute-1 compute-2`])
      .argument('<trait>', 'the trait')
      .argument('<host...>', 'names of hosts, or of other resource providers')
      .action(asks(context, changeTraits(name)));
  }
}

function addAggregates(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'aggregate', 'list and change host aggregates');
  remote(group, context, 'list', 'list host aggregates', ['aggregate list -o wide']).action(
    asks(context, showAggregates),
  );
  remote(group, context, 'create', 'create a host aggregate', [
    'aggregate create rack-3',
    'aggregate create az1 --zone az1',
  ])
    .argument('<name>', 'its name')
    .option('--zone <name>', 'the availability zone of its hosts')
    .action(asks(context, createAggregate));
  remote(group, context, 'delete', 'delete a host aggregate', ['aggregate delete rack-3'])
    .argument('<name>', 'its name or uuid')
    .action(asks(context, deleteAggregate));
  for (const [name, summary] of [
    ['add', 'add hosts to a host aggregate'],
    ['remove', 'remove hosts from a host aggregate'],
  ] as const) {
    remote(group, context, name, summary, [`aggregate ${name} rack-3 compute-1 compute-2`])
      .argument('<name>', 'the name or uuid of the aggregate')
      .argument('<host...>', 'the names of the hosts')
      .action(asks(context, changeMembers(name)));
  }
}

function addCandidates(program: Command, context: CommandContext): void {
  remote(program, context, 'candidates', 'ask placement which providers could serve amounts of resources', [
    'candidates VCPU=2 MEMORY_MB=2048',
    'candidates VCPU=2 --required HW_CPU_X86_AVX2',
  ])
    .argument('<resource...>', 'CLASS=AMOUNT, as VCPU=2 MEMORY_MB=2048')
    .option('--required <trait>', 'a trait that the provider has; may be repeated', many, [])
    .option('--forbidden <trait>', 'a trait that it has not; may be repeated', many, [])
    .option('--member-of <uuid>', 'an aggregate that it is in')
    .option('--limit <n>', 'how many to show', countUpTo(CANDIDATES_SHOWN_MAX), CANDIDATES_SHOWN)
    .action(asks(context, showCandidates));
}
