// The commands of `berth plan`.
import type { Command } from 'commander';
import { Option } from 'commander';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { SEED_LIMIT } from '../../platform/values/random';
import type { CommandContext } from '../command-context';
import { addGroup } from '../command-context';
import { runPlan } from '../plan-run/run-plan';
import { deletePlan, listPlans, makePlan, showPlan } from './plan';
import { asks, countUpTo, many, remote } from './remote-command';

const { hostsNamed, instancesPerRequest, planMoves, plansKept } = SCHEDULER_LIMITS;
const TIME_LIMIT_MAX_S = 60;
const PLANS_LISTED = 20;
const PARALLEL = 4;
const PARALLEL_MAX = 100;

export function addPlanCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'plan', 'plan moves of instances, and carry them out');
  const goal = (name: Parameters<typeof makePlan>[0], summary: string, examples: readonly string[]): Command =>
    remote(group, context, name, summary, examples)
      .option('--keep-instance <instance>', 'do not move it, by name or uuid; may be repeated', many, [])
      .option('--keep-host <host>', 'move nothing from or to it; may be repeated', many, [])
      .option('--keep-project <id>', 'do not move its instances; may be repeated', many, [])
      .option('--max-moves <n>', 'the most moves of the plan', countUpTo(planMoves))
      .option('--max-moves-per-host <n>', 'moves at a time from or to one host', countUpTo(planMoves))
      .option('--live-only', 'no cold migrations')
      .option('--time <s>', 'how long to search; above 50 also give a longer --timeout', countUpTo(TIME_LIMIT_MAX_S))
      .option('--seed <n>', 'another choice among equal plans', countUpTo(SEED_LIMIT - 1))
      .action(asks(context, makePlan(name)));
  const ofHosts = (command: Command): Command =>
    command
      .argument('[host...]', 'the names of the hosts')
      .option('--aggregate <name>', 'the hosts of a host aggregate; may be repeated', many, [])
      .option('--zone <name>', 'the hosts of an availability zone; may be repeated', many, []);
  ofHosts(
    goal('drain', 'move every instance away from hosts', ['plan drain compute-1', 'plan drain --aggregate rack-3']),
  );
  ofHosts(goal('waves', 'empty all hosts in rounds', ['plan waves --aggregate rack-3 --at-a-time 3'])).option(
    '--at-a-time <n>',
    'hosts of one round (default: 1)',
    countUpTo(hostsNamed),
  );
  goal('room', 'make room for instances of a flavor with the fewest moves', ['plan room --flavor m1.large --count 4'])
    .requiredOption('--flavor <flavor>', 'a registered flavor, by name or id')
    .option('--count <n>', 'instances that must fit; without it as many as possible', countUpTo(instancesPerRequest))
    .addOption(minGain('places'));
  goal('balance', 'even out the use of hosts or zones', ['plan balance --class VCPU --over zones'])
    .requiredOption('--class <class>', 'a resource class; may be repeated', many)
    .addOption(new Option('--over <what>', 'what is balanced').choices(['hosts', 'zones']))
    .addOption(minGain('percentage points of the spread'));
  goal('pack', 'empty as many hosts as possible, or make room for a flavor', ['plan pack --flavor m1.large'])
    .option('--flavor <flavor>', 'a registered flavor, by name or id')
    .addOption(minGain('hosts, or places of the flavor'));
  remote(group, context, 'list', 'list the plans of the last week, the newest first', ['plan list'])
    .option('--limit <n>', 'how many to list', countUpTo(plansKept), PLANS_LISTED)
    .action(asks(context, listPlans));
  remote(group, context, 'show', 'show a plan with the outcomes of its moves', ['plan show ID', 'plan show ID -o wide'])
    .argument('<id>', 'the id of the plan')
    .action(asks(context, showPlan));
  remote(group, context, 'delete', 'delete plans', ['plan delete ID'])
    .argument('<id...>', 'the ids of the plans')
    .action(asks(context, deletePlan));
  remote(group, context, 'run', 'carry a plan out through the Compute API, with your OS_ variables or clouds.yaml', [
    'plan run ID',
    'plan run ID --skip db-1 --reason "its owner is warned first"',
  ])
    .argument('<id>', 'the id of the plan')
    .option('--max-parallel <n>', 'moves at a time', countUpTo(PARALLEL_MAX), PARALLEL)
    .option('--skip <instance>', 'leave this instance where it is, by name or uuid; may be repeated', many, [])
    .option('--reason <text>', 'why; the plan shows it')
    .option('--live-only', 'no cold migrations')
    .option('--no-replan', 'stop when the plan can no longer be carried out, instead of planning again')
    .action(asks(context, runPlan(context)));
}

const minGain = (unit: string): Option =>
  new Option('--min-gain <n>', `no plan that gains less ${unit}`).argParser(Number);
