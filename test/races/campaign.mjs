// Races against built service processes: claims of the last units, releases, inventory writes and tree moves at the
// same time. `node test/races/run.mjs` runs it, and CI does on MariaDB with two processes. The invariants at the end of every
// round must hold after any interleaving.
import { randomUUID } from 'node:crypto';
import mysql from 'mysql2/promise';
import { startService } from '../support/built-service.mjs';
import { Sqlite } from '../support/sqlite-driver.mjs';
import { roundOfRemovals } from './removals.mjs';

/** Starts `dist/main.js` processes on one database; returns their URLs and a function to stop them. */
export async function startServices({ count, databaseUrl, ...settings }) {
  const services = [];
  for (let at = 0; at < count; at += 1) services.push(await startService(databaseUrl, settings));
  return {
    urls: services.map((service) => service.url),
    processes: services.map((service) => service.process),
    stop: () => Promise.all(services.map((service) => service.stop())),
  };
}

const HEADERS = {
  'x-auth-token': 'admin',
  'x-roles': 'admin,service',
  'content-type': 'application/json',
  accept: 'application/json',
  'openstack-api-version': 'placement 1.39',
};

const TRIES = 5;
const isToBeRetried = ({ status, json }) => status === 409 && json?.errors?.[0]?.code === 'placement.concurrent_update';

/** A client of several equal services; it sends each request to the next service. */
export class Cloud {
  #turn = 0;

  constructor(urls, db) {
    this.urls = urls;
    this.db = db;
    this.serverErrors = [];
  }

  async call(method, path, body, headers = {}) {
    const url = this.urls[this.#turn++ % this.urls.length];
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...HEADERS, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status >= 500) this.serverErrors.push(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return { status: response.status, json: text.startsWith('{') ? JSON.parse(text) : undefined };
  }

  /** Retries when the answer asks for it, as clients do; throws on any other unexpected answer. */
  async must(status, method, path, body, headers) {
    let answer = await this.call(method, path, body, headers);
    for (let tries = 1; isToBeRetried(answer) && tries < TRIES; tries += 1) {
      answer = await this.call(method, path, body, headers);
    }
    if (answer.status !== status) {
      throw new Error(`${method} ${path}: ${answer.status} instead of ${status}: ${JSON.stringify(answer.json)}`);
    }
    return answer.json;
  }

  async provider(inventories, parent) {
    const uuid = randomUUID();
    const body = { name: `races-${uuid}`, uuid, ...(parent !== undefined && { parent_provider_uuid: parent }) };
    await this.must(200, 'POST', '/resource_providers', body);
    if (inventories !== undefined) {
      const set = { resource_provider_generation: 0, inventories };
      await this.must(200, 'PUT', `/resource_providers/${uuid}/inventories`, set);
    }
    return uuid;
  }

  claim(consumer, allocations, generation, headers) {
    return this.call('PUT', `/allocations/${consumer}`, allocationBody(allocations, generation), headers);
  }
}

export function allocationBody(allocations, generation) {
  const sets = Object.entries(allocations).map(([uuid, resources]) => [uuid, { resources }]);
  return {
    allocations: Object.fromEntries(sets),
    project_id: 'races',
    user_id: 'races',
    consumer_generation: generation,
    consumer_type: 'INSTANCE',
  };
}

/** An old version of the API, in which a claim sends no consumer generation. */
const UNCHECKED = { 'openstack-api-version': 'placement 1.27' };

function uncheckedBody(allocations) {
  const { consumer_generation: _generation, consumer_type: _type, ...body } = allocationBody(allocations, null);
  return body;
}

/** Returns the broken invariants of the database at rest. */
export async function brokenLaws(db) {
  const broken = [];
  const off = await db(
    'SELECT i.id, i.used, COALESCE(SUM(a.used), 0) AS held FROM inventories i LEFT JOIN allocations a ' +
      'ON a.resource_provider_id = i.resource_provider_id AND a.resource_class_id = i.resource_class_id ' +
      'GROUP BY i.id, i.used HAVING i.used <> COALESCE(SUM(a.used), 0)',
  );
  for (const row of off) broken.push(`inventory ${row.id}: used ${row.used}, allocations ${row.held}`);
  const negative = await db('SELECT id FROM inventories WHERE used < 0');
  for (const row of negative) broken.push(`inventory ${row.id}: used is negative`);
  const ghosts = await db(
    'SELECT uuid FROM consumers c WHERE NOT EXISTS (SELECT 1 FROM allocations a WHERE a.consumer_id = c.id)',
  );
  for (const row of ghosts) broken.push(`consumer ${row.uuid} has no allocations`);
  broken.push(
    ...brokenTrees(
      await db('SELECT id, parent_provider_id AS parent, root_provider_id AS root FROM resource_providers'),
    ),
  );
  return broken;
}

function brokenTrees(rows) {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return rows.flatMap((row) => {
    let at = row;
    for (let steps = 0; at.parent !== null; steps += 1) {
      if (steps > rows.length) return [`provider ${row.id} is in a loop`];
      at = byId.get(at.parent);
    }
    return at.id === row.root ? [] : [`provider ${row.id} names root ${row.root}, its root is ${at.id}`];
  });
}

const CLAIMANTS = 40;
const CAPACITY = 10;

/**
 * 40 claims of 1 unit on a provider of capacity 10. With `isRewriting` half of the consumers already hold an allocation
 * elsewhere.
 */
async function roundOfClaims(cloud, isRewriting) {
  const target = await cloud.provider({ VCPU: { total: CAPACITY } });
  const elsewhere = isRewriting ? await cloud.provider({ VCPU: { total: CLAIMANTS } }) : undefined;
  const consumers = await Promise.all(
    Array.from({ length: CLAIMANTS }, async (_, at) => {
      const uuid = randomUUID();
      const isHolder = elsewhere !== undefined && at % 2 === 0;
      if (isHolder) {
        const body = allocationBody({ [elsewhere]: { VCPU: 1 } }, null);
        await cloud.must(204, 'PUT', `/allocations/${uuid}`, body);
      }
      return { uuid, generation: isHolder ? 1 : null };
    }),
  );
  const answers = await Promise.all(
    consumers.map(({ uuid, generation }) => cloud.claim(uuid, { [target]: { VCPU: 1 } }, generation)),
  );
  const faults = [];
  const granted = answers.filter((answer) => answer.status === 204).length;
  if (granted !== CAPACITY) faults.push(`${granted} claims were granted, not ${CAPACITY}`);
  for (const [at, { uuid }] of consumers.entries()) {
    const held = (await cloud.must(200, 'GET', `/allocations/${uuid}`)).allocations[target]?.resources.VCPU ?? 0;
    if ((answers[at].status === 204) !== (held === 1)) faults.push(`${answers[at].status} but ${held} units are held`);
  }
  const usages = await cloud.must(200, 'GET', `/resource_providers/${target}/usages`);
  if (usages.usages.VCPU !== CAPACITY) faults.push(`${usages.usages.VCPU} units are used, not ${CAPACITY}`);
  return faults;
}

/** Valid and invalid amounts for the units of the inventory: no invalid amount may be granted. */
async function roundOfUnits(cloud) {
  const target = await cloud.provider({ VCPU: { total: 100, min_unit: 2, max_unit: 8, step_size: 2 } });
  const amounts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const answers = await Promise.all(
    amounts.map((amount) => cloud.claim(randomUUID(), { [target]: { VCPU: amount } }, null)),
  );
  return amounts.flatMap((amount, at) => {
    const isRight = amount >= 2 && amount <= 8 && amount % 2 === 0;
    return (answers[at].status === 204) === isRight ? [] : [`${amount} units: ${answers[at].status}`];
  });
}

/** Releases, unchecked rewrites and swaps of the same consumers, while inventories are replaced. */
async function roundOfChurn(cloud) {
  const [one, two] = [await cloud.provider({ VCPU: { total: 20 } }), await cloud.provider({ VCPU: { total: 20 } })];
  const consumers = Array.from({ length: 4 }, () => randomUUID());
  const pick = (list) => list[Math.floor(Math.random() * list.length)];
  const work = Array.from({ length: 48 }, () => async () => {
    const consumer = pick(consumers);
    switch (Math.floor(Math.random() * 5)) {
      case 0:
        return cloud.call('DELETE', `/allocations/${consumer}`);
      case 1:
        return replaceInventory(cloud, pick([one, two]));
      case 2: {
        const sets = { [consumer]: uncheckedBody({ [one]: { VCPU: 2 } }), [pick(consumers)]: uncheckedBody({}) };
        return cloud.call('POST', '/allocations', sets, UNCHECKED);
      }
      default: {
        const allocations = { [pick([one, two])]: { VCPU: 1 + Math.floor(Math.random() * 6) } };
        return cloud.call('PUT', `/allocations/${consumer}`, uncheckedBody(allocations), UNCHECKED);
      }
    }
  });
  await Promise.all(work.map((each) => each()));
  return [];
}

async function replaceInventory(cloud, provider) {
  const { resource_provider_generation: generation } = await cloud.must(
    200,
    'GET',
    `/resource_providers/${provider}/inventories`,
  );
  const inventories = Math.random() < 0.3 ? {} : { VCPU: { total: 5 + Math.floor(Math.random() * 30) } };
  const body = { resource_provider_generation: generation, inventories };
  return cloud.call('PUT', `/resource_providers/${provider}/inventories`, body);
}

/** Moves providers below each other at the same moment, while children are created and deleted. */
async function roundOfMoves(cloud) {
  const nodes = [];
  for (let at = 0; at < 6; at += 1)
    nodes.push(await cloud.provider(undefined, at % 2 === 1 ? nodes[at - 1] : undefined));
  const move = (child, parent) =>
    cloud.call('PUT', `/resource_providers/${child}`, { name: `races-${child}`, parent_provider_uuid: parent });
  await Promise.all(
    nodes.flatMap((child, at) => [
      move(child, nodes[(at + 1) % nodes.length]),
      move(nodes[(at + 1) % nodes.length], child),
      move(child, at % 3 === 0 ? null : nodes[(at + 2) % nodes.length]),
      cloud.call('POST', '/resource_providers', { name: `races-${randomUUID()}`, parent_provider_uuid: child }),
      ...(at % 3 === 2 ? [cloud.call('DELETE', `/resource_providers/${child}`)] : []),
    ]),
  );
  return [];
}

/** Versions without generations replace the aggregates of one provider. One complete set must remain, not a mixture. */
async function roundOfAggregates(cloud) {
  const provider = await cloud.provider();
  const sets = Array.from({ length: 8 }, () => [randomUUID(), randomUUID()]);
  const path = `/resource_providers/${provider}/aggregates`;
  await Promise.all(sets.map((set) => cloud.call('PUT', path, set, OLD)));
  const { aggregates } = await cloud.must(200, 'GET', path);
  const left = [...aggregates].sort().join();
  return sets.some((set) => [...set].sort().join() === left) ? [] : [`aggregates of several requests: ${left}`];
}

const OLD = { 'openstack-api-version': 'placement 1.18' };

const ROUNDS = {
  'first claims': (cloud) => roundOfClaims(cloud, false),
  'claims of which half rewrite': (cloud) => roundOfClaims(cloud, true),
  units: roundOfUnits,
  'releases, rewrites and inventory': roundOfChurn,
  'opposite moves': roundOfMoves,
  'aggregates without generations': roundOfAggregates,
  'removals of what is used': roundOfRemovals,
};

/**
 * Runs `rounds` rounds of every kind; returns the faults, each with its round. `onlyFirst` stops at the first fault.
 */
export async function runCampaign(cloud, rounds, { onlyFirst = false, report = () => undefined } = {}) {
  const faults = [];
  for (const [name, round] of Object.entries(ROUNDS)) {
    const began = Date.now();
    for (let number = 1; number <= rounds; number += 1) {
      const found = [...(await round(cloud)), ...(await brokenLaws(cloud.db)), ...cloud.serverErrors.splice(0)];
      faults.push(...found.map((fault) => `${name}, round ${number}: ${fault}`));
      if (onlyFirst && faults.length > 0) return faults;
    }
    report(`${name}: ${rounds} rounds in ${((Date.now() - began) / 1000).toFixed(1)} s`);
  }
  return faults;
}

/** Creates a temporary MySQL database or SQLite file, with a function that queries it directly. */
export async function openDatabase(kind, folder) {
  if (kind === 'sqlite') {
    const path = `${folder}/races.sqlite`;
    let db;
    return {
      url: `sqlite:///${path}`,
      query: async (sql) => (db ??= new Sqlite(path, { readonly: true })).prepare(sql).all(),
      close: async () => db?.close(),
    };
  }
  const server = new URL(process.env.BERTH_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306');
  const name = `berth_races_${process.pid}_${Date.now()}`;
  const pool = mysql.createPool({
    host: server.hostname,
    port: Number(server.port || 3306),
    user: decodeURIComponent(server.username),
    password: decodeURIComponent(server.password),
  });
  await pool.query(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    query: async (sql) => (await pool.query(sql.replaceAll(/(FROM|JOIN) (?!\()/g, `$1 ${name}.`)))[0],
    close: async () => {
      await pool.query(`DROP DATABASE ${name}`);
      await pool.end();
    },
  };
}
