// `npm run demo [-- --url URL] [--keep [--pace SECONDS]] [--token TOKEN]`: a cloud of forty hosts on a running Berth. Loads the cloud
// and host reports, lists candidates, schedules instances by flavors, images and a server group, and disables a host.
// Prints every placement with the reasons for rejected hosts, then cleans up.
import { Command, InvalidArgumentError } from 'commander';
import { NoValidHost } from '../client/dist/index.js';
import {
  DEMO_TRAIT,
  isLeftOver,
  loadCluster,
  OWNER,
  readCluster,
  readYaml,
  release,
  removeCluster,
  residentsOf,
  uuidOf,
} from '../demo/cluster.mjs';
import { showClaim, showRefusal, showRejections, showSelections } from '../demo/decision.mjs';
import { live, releaseLiving, removeLiving, removeTraits, settle } from '../demo/living.mjs';
import {
  disableHost,
  enableHost,
  hostsOf,
  loadRegistry,
  releaseInstances,
  removeRegistry,
  zonesOf,
} from '../demo/registry.mjs';
import { clientOf, DemoFailure, greet, sentenceOf } from '../demo/service.mjs';
import { bold, count, faint, heading, say, table } from '../demo/terminal.mjs';

const url = (text) => {
  if (URL.canParse(text) && /^https?:/.test(text)) return text;
  throw new InvalidArgumentError(`${text} is no http URL.`);
};
const seconds = (text) => {
  if (/^\d{1,4}(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`${text} is no number of seconds.`);
};

const program = new Command('npm run demo --')
  .option('--url <url>', 'where Berth listens', url, 'http://127.0.0.1:8778')
  .option('--token <token>', 'the token sent with every request', 'admin')
  .option('--keep', 'leave the cloud in place, and let instances come and go until Ctrl + C')
  .option('--pace <seconds>', 'time between two of them; 0: none, the demo ends', seconds, 3);

async function main(options) {
  const client = clientOf(options, stopRequest());
  const demo = { client, cluster: readCluster(), script: readYaml('requests.yaml') };
  const startedAt = performance.now();
  const { version, filters, weighers } = await greet(client, options.url);
  say(`${bold(`Berth ${version}`)} at ${options.url}`);
  say(faint(`filters ${filters.map(({ name }) => name).join(', ')}; weighers ${weighers.map(({ name }) => name)}`));
  try {
    await load(demo);
    await showCandidates(demo);
    const placed = new Map();
    for (const step of demo.script.requests) await runStep({ ...demo, placed }, step);
    if (!options.keep) await finish(demo);
  } catch (error) {
    await removeEarlier({ ...demo, client: clientOf(options) }, options);
    throw error;
  }
  if (options.keep) return keepAlive(demo, options);
  say(`Done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Aborts at the first signal, or when the reader of the output is gone. A second signal ends the process at once. */
function stopRequest() {
  const stop = new AbortController();
  for (const signal of SIGNALS) process.once(signal, () => stop.abort());
  process.stdout.on('error', () => stop.abort());
  return stop.signal;
}

/** Every instance that the script can place, so the next run also cleans up after an interrupted one. */
const consumersOf = ({ script }) => script.requests.flatMap((step) => instancesOf(step));

function instancesOf({ name, instances, separately }) {
  return Array.from({ length: instances ?? separately ?? 1 }, (_, at) => uuidOf('instance', `${name}-${at + 1}`));
}

async function load({ client, cluster, script }) {
  const roots = cluster.providers.filter(({ parent }) => parent === null);
  const hosts = hostsOf(cluster);
  const pools = roots.length - hosts.length;
  heading(`A cloud of ${count(hosts.length, 'host')} in ${count(cluster.zones.length, 'zone')}`);
  if (await isLeftOver(client, cluster)) {
    const { removed } = await cleanUp({ client, cluster, script });
    say(faint(`  An earlier run left ${count(removed, 'provider')}, which were removed first.`));
  }
  await loadCluster(client, cluster);
  await loadRegistry(client, cluster, script);
  const zones = await zonesOf(client, cluster);
  table([
    ...zones.map(({ name, hosts: members }) => [name, members.length, 'hosts']),
    ['NUMA nodes and GPUs', cluster.providers.length - roots.length, 'children'],
    ['shared', pools, pools === 1 ? 'pool of disks' : 'pools of disks'],
    ['running already', cluster.residents.length, 'consumers'],
    [
      'switched off',
      zones.flatMap(({ hosts: members }) => members).filter(({ status }) => status === 'disabled').length,
      'hosts',
    ],
  ]);
}

async function showCandidates({ client, cluster, script }) {
  for (const { title, query, zone } of script.candidates) {
    heading(`Candidates: ${title}`);
    const member = zone === undefined ? '' : `&member_of=in:${uuidOf('aggregate', zone)}`;
    const asked = new URLSearchParams(`${query}${member}&root_required=${DEMO_TRAIT},!COMPUTE_STATUS_DISABLED`);
    const { allocation_requests: found } = await client.candidates.list(asked);
    if (found.length === 0) throw new DemoFailure('There should have been candidates.');
    const nameOf = namesOf(cluster);
    table(
      found.slice(0, 4).map(({ allocations }) => [
        Object.entries(allocations)
          .map(([uuid, { resources }]) => `${nameOf(uuid)} (${amounts(resources)})`)
          .sort()
          .join(' + '),
      ]),
    );
    say(faint(`  ${found.length > 4 ? `… ${found.length} candidates in all` : count(found.length, 'candidate')}`));
  }
}

const amounts = (resources) =>
  Object.entries(resources)
    .map(([name, amount]) => `${name}:${amount}`)
    .join(' ');

function namesOf({ providers }) {
  const names = new Map(providers.map(({ uuid, name }) => [uuid, name]));
  return (uuid) => names.get(uuid) ?? uuid;
}

/** One step of the script. Its instances are requested together, or one by one if the step says `separately`. */
async function runStep({ client, cluster, placed }, step) {
  heading(step.title);
  say(`  ${step.story}`);
  const uuids = instancesOf(step);
  const parts = step.separately === undefined ? [uuids] : uuids.map((uuid) => [uuid]);
  const off = placed.get(step.disables_host_of);
  if (off !== undefined) {
    await disableHost(client, off, 'smoke');
    say(`  ${off} is switched off.`);
  }
  const answers = [];
  for (const instances of parts) answers.push(await ask(client, requestOf(step, instances), step));
  if (off !== undefined) await enableHost(client, off);
  const last = answers.at(-1);
  if (step.refused !== undefined) {
    showRefusal(last);
  } else {
    const labels = uuids.map((_, at) => (uuids.length === 1 ? step.name : `${step.name}-${at + 1}`));
    const selections = answers.flatMap((answer) => answer.selections);
    showSelections(labels, selections);
    if (uuids.length === 1) showClaim(selections[0], namesOf(cluster));
    placed.set(step.name, selections[0].selected.host);
  }
  showRejections(last.decision);
}

/** Requests the full explanation, because the demo prints every host. */
const requestOf = ({ request }, instances) => ({
  ...OWNER,
  ...request,
  instances,
  request_level_params: { root_required: [DEMO_TRAIT] },
  explain: 'all',
});

/** The answer, or the expected error of a step with `refused`. */
async function ask(client, body, { title, refused }) {
  const answer = await client.scheduler.selectDestinations(body).catch((error) => {
    if (error instanceof NoValidHost) return error;
    throw error;
  });
  if (answer.code === refused) return answer;
  const sentence = answer.code === undefined ? 'It was placed.' : answer.decision?.summary.sentence;
  throw new DemoFailure(`"${title}" should have been ${refused === undefined ? 'placed' : 'refused'}. ${sentence}`);
}

async function cleanUp(demo) {
  const { client, cluster, script } = demo;
  const released = (await releaseInstances(client, consumersOf(demo))) + (await releaseLiving(client));
  await release(client, residentsOf(cluster));
  await removeLiving(client, script);
  await removeRegistry(client, cluster, script);
  const removed = await removeCluster(client, cluster);
  await removeTraits(client, script);
  return { released, removed };
}

/** Cleans up after a failure. Prints a second failure and does not let it replace the first. */
async function removeEarlier(demo, { url }) {
  try {
    await cleanUp(demo);
  } catch (error) {
    process.stderr.write(
      `\n${sentenceOf(error, url)}\nNot everything was removed. Run the demo again to remove what is left.\n`,
    );
  }
}

async function finish(demo) {
  heading('Cleaning up');
  const { released, removed } = await cleanUp(demo);
  say(`Released ${count(released, 'instance')} and removed ${count(removed, 'provider')}; nothing remains.`);
}

/** The cloud stays when the demo ends. */
async function keepAlive({ client, cluster, script }, { url, pace }) {
  heading('The cloud stays');
  await release(client, residentsOf(cluster));
  const placed = await settle(client, cluster, script);
  say(`  ${count(placed, 'more instance')} run on it. Look at it: ${url}/console`);
  say('  Run the demo again without --keep to remove it.');
  if (pace === 0) return;
  say(`  An instance comes or goes every ${pace} s until Ctrl + C.`);
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  await live(client, script, pace * 1_000);
}

const options = program.parse().opts();
try {
  await main(options);
} catch (error) {
  process.stderr.write(`\n${sentenceOf(error, options.url)}\n`);
  process.exitCode = 1;
}
