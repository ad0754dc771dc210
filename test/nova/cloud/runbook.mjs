// The command blocks of docs/nova-scheduler.md, from the check to the way back, run in their order in a cloud that has
// nova-scheduler at first. `systemctl` starts and ends the processes of the cloud.
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sleep, until } from './processes.mjs';
import { allUp, decisionOf, hostOf, reaches, remove } from './scenarios.mjs';

const PAGE = new URL('../../../docs/nova-scheduler.md', import.meta.url);
const SECTIONS = ['Check', 'Compare decisions before the switch', 'Switch', 'Go back'];
/** Stands for the day of the comparison. */
const SHADOW_SECONDS = 90;
/** Servers that are created meanwhile, one after the other. */
const COMPARED = 8;
/** Until the comparison reads new requests. */
const SHADOW_START_MS = 12_000;
/** Berth's process: the scheduler of the cloud is nova-scheduler. */
const BERTH = 'second';

/** The lines of all command blocks of these sections. */
export function commandsOf(page) {
  return SECTIONS.flatMap((title) => {
    const [, section] = page.split(`\n## ${title}\n`);
    assert.ok(section !== undefined, `no section ${title}`);
    const blocks = [...section.split('\n## ')[0].matchAll(/^ *```\n([^]*?)^ *```$/gm)];
    assert.ok(blocks.length > 0, `no commands in section ${title}`);
    return blocks.flatMap(([, block]) => block.split('\n').flatMap((line) => line.trim() || []));
  });
}

const consumers = (cloud, count) => until(`${count} consumers`, async () => (await consumersOf(cloud)) === count, 60);

async function consumersOf(cloud) {
  const { stdout } = await cloud.rabbitctl('list_queues', 'name', 'consumers');
  return Number(/^scheduler\s+(\d+)$/m.exec(stdout)?.[1] ?? 0);
}

/** A server by the command of the page, with its `--wait`. */
async function createServer(state, line) {
  const { cloud, servers } = state;
  const made = await cloud.openstack(...line.split(' ').slice(1));
  servers.push(made.id);
  state.last = await reaches(cloud, made.id, 'ACTIVE');
}

/** What runs for each line, and what must follow. */
const COMMANDS = {
  async 'berth scheduler check'({ cloud }) {
    const { status, output } = await cloud.berthCommand('scheduler', 'check');
    assert.equal(status, 0, output);
    assert.match(output, /Queue scheduler has 1 consumers/);
    assert.doesNotMatch(output, /^error/m);
  },
  async 'berth scheduler shadow --seconds 86400'(state) {
    const compared = state.cloud.berthCommand('scheduler', 'shadow', '--seconds', String(SHADOW_SECONDS));
    await sleep(SHADOW_START_MS);
    for (let count = 0; count < COMPARED; count += 1)
      await createServer(state, 'openstack server create --flavor m1.small --image cirros --network none compared');
    const { status, output } = await compared;
    process.stdout.write(output);
    const [, ...counts] = /^same (\d+), equal (\d+), different 0, not-comparable (\d+), waiting 0/m.exec(output) ?? [];
    assert.equal(
      counts.map(Number).reduce((sum, each) => sum + each, 0),
      COMPARED,
      output,
    );
    assert.equal(status, 0, output);
  },
  async 'systemctl start berth-scheduler'({ cloud }) {
    cloud.scheduler = 'berth';
    await cloud.startScheduler(BERTH);
    await consumers(cloud, 2);
  },
  async 'systemctl disable --now nova-scheduler'({ cloud }) {
    await cloud.endService('scheduler');
    await consumers(cloud, 1);
  },
  async 'openstack compute service delete $(openstack compute service list --service nova-scheduler -f value -c ID)'({
    cloud,
  }) {
    const rows = () => cloud.openstack('compute', 'service', 'list', '--service', 'nova-scheduler');
    const ids = (await rows()).map(({ ID }) => String(ID));
    assert.notEqual(ids.length, 0);
    await cloud.openstackQuiet('compute', 'service', 'delete', ...ids);
    assert.deepEqual(await rows(), []);
  },
  async 'rabbitmqctl list_queues name consumers | grep -w scheduler'({ cloud }) {
    assert.equal(await consumersOf(cloud), 1);
  },
  async 'openstack server create --flavor m1.small --image cirros --network none --wait test'(state, line) {
    await createServer(state, line);
    const { outcome, hosts } = await decisionOf(state.cloud, state.last.id);
    assert.deepEqual([outcome, hosts], ['placed', [hostOf(state.last)]]);
  },
  async 'berth decisions'({ cloud, last }) {
    const { status, output } = await cloud.berthCommand('decisions');
    assert.equal(status, 0, output);
    assert.match(output, new RegExp(hostOf(last)));
  },
  async 'systemctl enable --now nova-scheduler'({ cloud }) {
    cloud.scheduler = 'nova';
    await cloud.startScheduler();
    await consumers(cloud, 2);
  },
  async 'systemctl stop berth-scheduler'({ cloud }) {
    await cloud.endService(BERTH);
    await consumers(cloud, 1);
  },
  async 'openstack server create --flavor m1.small --image cirros --network none --wait back'(state, line) {
    await createServer(state, line);
    const { document } = await state.cloud.berth(`/scheduler/decisions?instance=${state.last.id}&limit=1`);
    assert.deepEqual(document.decisions, []);
  },
};

async function runbook(cloud) {
  if (cloud.scheduler !== 'berth') return;
  const lines = commandsOf(readFileSync(PAGE, 'utf8'));
  assert.deepEqual(
    [...new Set(lines)].sort(),
    Object.keys(COMMANDS).sort(),
    'each command of the page has a result here',
  );
  await cloud.openstack('flavor', 'create', '--vcpus', '1', '--ram', '256', '--disk', '1', 'm1.small');
  const format = ['--disk-format', 'raw', '--container-format', 'bare'];
  await cloud.openstack('image', 'create', ...format, '--file', join(cloud.folder, 'image.raw'), 'cirros');
  await cloud.switchTo('nova');
  await allUp(cloud);
  const state = { cloud, servers: [], last: null };
  for (const line of lines) {
    process.stdout.write(`          ${line}\n`);
    await COMMANDS[line](state, line);
  }
  const audit = await cloud.berthCommand('audit');
  assert.equal(audit.status, 0, audit.output);
  await cloud.switchTo('berth');
  await remove(cloud, ...state.servers);
}

export const RUNBOOK = { 'the runbook of docs/nova-scheduler.md': runbook };
