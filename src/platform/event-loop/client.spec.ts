import { Clients } from './client';

const clientsWith = (kept = 10): Clients => new Clients({ kept, creditMs: 100 });

it('an idle client precedes busy ones by its credit at most', () => {
  const clients = clientsWith();
  const [busy, quiet] = [clients.of('busy'), clients.of('quiet')];
  clients.begin(busy);
  busy.charge(5_000);
  clients.begin(quiet);
  expect(busy.usageMs - quiet.usageMs).toBe(100);
});

it('no client accumulates credit while the service is idle', () => {
  const clients = clientsWith();
  const [busy, quiet] = [clients.of('busy'), clients.of('quiet')];
  clients.begin(busy);
  busy.charge(5_000);
  clients.end(busy);
  clients.begin(quiet);
  clients.begin(busy);
  expect(busy.usageMs - quiet.usageMs).toBe(100);
});

it('a client that leaves and returns at once keeps its usage', () => {
  const clients = clientsWith();
  const [busy, other] = [clients.of('busy'), clients.of('other')];
  clients.begin(other);
  clients.begin(busy);
  busy.charge(5_000);
  clients.end(busy);
  clients.begin(busy);
  expect([other.usageMs, busy.usageMs]).toEqual([0, 5_000]);
});

it('counts engaged clients, not how often they began', () => {
  const clients = clientsWith();
  const client = clients.of('one');
  clients.begin(client);
  clients.begin(client);
  clients.end(client);
  expect(client.isEngaged).toBe(true);
  clients.end(client);
  expect(client.isEngaged).toBe(false);
});

it('remembers a bounded number of clients, but all that are engaged', () => {
  const clients = clientsWith(3);
  const engaged = clients.of('engaged');
  clients.begin(engaged);
  for (let at = 0; at < 50; at += 1) clients.of(`passing ${at}`);
  expect(clients.size).toBe(3);
  expect(clients.of('engaged')).toBe(engaged);
});
