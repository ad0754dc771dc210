// `node test/bench/console.mjs [--hosts 10000] [--database mysql|sqlite] [--rounds 10] [--minutes 0]`: measures how long a
// user of the console waits in Chromium, after a build. It measures the first visit of a service that has just started;
// the time from a click to the first rows of a page; from a typed filter to the frame with the matching rows; and to
// the frame after a pointer move on the map. With `--minutes` hosts change all the time, and it prints the page's
// memory every 30 s.
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { startLoaded } from './loaded-service.mjs';
import { Client, median, rssMib } from './meter.mjs';
import { world } from './worlds.mjs';

const { values: options } = parseArgs({
  options: {
    hosts: { type: 'string', default: '10000' },
    database: { type: 'string', default: 'sqlite' },
    rounds: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '0' },
  },
});
const HOSTS = Number(options.hosts);
const ROUNDS = Number(options.rounds);
const PROGRAM = process.env.BERTH_CHROMIUM ?? '/usr/bin/chromium';
const ZONES = 3;
const CONSUMERS_PER_HOST = 3;
const SAMPLE_MS = 30_000;
const CHANGE_MS = 250;
const THOUGHT_MS = 500;
const PATIENCE_MS = 120_000;

if (!existsSync(PROGRAM)) throw new Error(`there is no Chromium at ${PROGRAM}`);
const made = world('flat', HOSTS, CONSUMERS_PER_HOST);
const roots = made.providers.filter(({ parent }) => parent === undefined || parent === null);
const { service, end } = await startLoaded(options.database, made);
const client = new Client(service.url, { connections: 2 });
const browser = await chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox', '--disable-gpu'] });
try {
  for (let zone = 0; zone < ZONES; zone += 1) {
    const hosts = roots.filter((_, at) => at % ZONES === zone).map(({ name }) => name);
    await client.ask('POST', '/scheduler/host_aggregates', {
      name: `aggregate-${zone}`,
      metadata: { availability_zone: `zone-${zone}` },
      hosts,
    });
  }
  // All trees have just changed. A running service reloads them soon by itself, so the first visit must not pay for it.
  await client.ask('GET', '/allocation_candidates?resources=VCPU:1&limit=1');
  console.log(`${HOSTS} hosts, ${options.database}, service ${rssMib(service.pid).toFixed(0)} MiB`);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(PATIENCE_MS);
  await firstVisit(page);
  await measure(page);
  if (Number(options.minutes) > 0) await follow(page, Number(options.minutes) * 60_000);
} finally {
  await browser.close();
  client.close();
  await end();
}

function capacityOf(page) {
  return page.getByText('Free', { exact: true }).first().waitFor();
}

async function firstVisit(page) {
  const began = performance.now();
  await page.goto(`${service.url}/console/`);
  await page.getByRole('button', { name: 'Log in' }).waitFor();
  row('first visit, until one can log in', [performance.now() - began]);
  const from = performance.now();
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  row('first visit, until the overview is there', [performance.now() - from]);
  await capacityOf(page);
  row('first visit, until capacity stands', [performance.now() - from]);
}

async function measure(page) {
  const go = (name) => page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name }).click();
  const heading = (name) => page.getByRole('heading', { level: 1, name }).waitFor();
  const filter = page.getByLabel('Name contains');
  const name = roots[Math.floor(HOSTS / 2)].name;
  const before = async () => {
    await go('Decisions');
    await heading('Decisions');
  };
  await timed('overview, until capacity stands', before, async () => {
    await go('Overview');
    await capacityOf(page);
  });
  await timed('hosts, until the first row', before, async () => {
    await go('Hosts');
    await page.getByRole('link', { name: roots[0].name }).first().waitFor();
  });
  const all = () => filter.fill('').then(() => page.getByRole('link', { name: roots[0].name }).first().waitFor());
  const filtered = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await all();
    // After a pause the first letter is sent at once.
    await sleep(THOUGHT_MS);
    const shown = page.evaluate(untilFiltered, name);
    await filter.fill(name);
    filtered.push(await shown);
  }
  row('hosts, one name of all, until the frame', filtered);
  await timed('map, until it is painted', before, async () => {
    await go('Map');
    await page.locator('canvas').first().waitFor();
  });
  const box = await page.getByRole('application').boundingBox();
  let at = 0;
  const painted = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  await timed('map, the frame after the pointer moved', painted, async () => {
    at += 1;
    await page.mouse.move(box.x + 20 + ((at * 37) % (box.width - 40)), box.y + 40 + ((at * 23) % (box.height - 60)));
    await painted();
  });
}

async function timed(name, before, act) {
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await before();
    const began = performance.now();
    await act();
    times.push(performance.now() - began);
  }
  row(name, times);
}

function row(name, times) {
  const worst = Math.max(...times);
  console.log(
    `  ${name.padEnd(42)} median ${median(times).toFixed(0).padStart(5)} ms  worst ${worst.toFixed(0).padStart(5)} ms`,
  );
}

/**
 * Runs in the page: milliseconds from the next input to the end of the frame in which the table shows only this host.
 */
function untilFiltered(name) {
  return new Promise((done) => {
    let began;
    addEventListener('input', () => (began ??= performance.now()), { capture: true, once: true });
    const look = () => {
      const links = [...document.querySelectorAll('[role="table"] a[href*="/hosts/"]')];
      if (began === undefined || links.length !== 1 || links[0].textContent !== name) return;
      seen.disconnect();
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
    };
    const seen = new MutationObserver(look);
    seen.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

/** Watches the map while hosts change. */
async function follow(page, forMs) {
  const devtools = await page.context().newCDPSession(page);
  const began = performance.now();
  let [reported, changes] = [began, 0];
  while (performance.now() - began < forMs) {
    const { uuid } = roots[(changes * 7919) % roots.length];
    const { traits, resource_provider_generation } = JSON.parse(
      (await client.ask('GET', `/resource_providers/${uuid}/traits`)).text(),
    );
    await client.ask('PUT', `/resource_providers/${uuid}/traits`, { traits, resource_provider_generation });
    changes += 1;
    if (performance.now() - reported >= SAMPLE_MS) {
      reported = performance.now();
      await devtools.send('HeapProfiler.collectGarbage');
      const { usedSize } = await devtools.send('Runtime.getHeapUsage');
      const minute = ((reported - began) / 60_000).toFixed(1);
      console.log(`  minute ${minute.padStart(5)}  ${changes} changes  heap ${(usedSize / 2 ** 20).toFixed(1)} MiB`);
    }
    await sleep(CHANGE_MS);
  }
}
