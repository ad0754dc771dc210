import { Clients } from './client';

const clientsWith = (kept = 10): Clients => new Clients({ kept, creditMs: 100 });

it('a client that was quiet comes before those who were served, by its credit and no more', () => {
  const clients = clientsWith();
  const [busy, quiet] = [clients.of('busy'), clients.of('quiet')];
  clients.begin(busy);
  busy.charge(5_000);
  clients.begin(quiet);
  expect(busy.standing - quiet.standing).toBe(100);
});

it('nobody saves up while the service has nothing to do', () => {
  const clients = clientsWith();
  const [busy, quiet] = [clients.of('busy'), clients.of('quiet')];
  clients.begin(busy);
  busy.charge(5_000);
  clients.end(busy);
  clients.begin(quiet);
  clients.begin(busy);
  expect(busy.standing - quiet.standing).toBe(100);
});

it('a client that goes and comes again at once has its past', () => {
  const clients = clientsWith();
  const [busy, other] = [clients.of('busy'), clients.of('other')];
  clients.begin(other);
  clients.begin(busy);
  busy.charge(5_000);
  clients.end(busy);
  clients.begin(busy);
  expect([other.standing, busy.standing]).toEqual([0, 5_000]);
});

it('counts what is engaged, not how often it began', () => {
  const clients = clientsWith();
  const client = clients.of('one');
  clients.begin(client);
  clients.begin(client);
  clients.end(client);
  expect(client.isEngaged).toBe(true);
  clients.end(client);
  expect(client.isEngaged).toBe(false);
});

it('remembers a bounded number, and of those with something under way all', () => {
  const clients = clientsWith(3);
  const engaged = clients.of('engaged');
  clients.begin(engaged);
  for (let at = 0; at < 50; at += 1) clients.of(`passing ${at}`);
  expect(clients.size).toBe(3);
  expect(clients.of('engaged')).toBe(engaged);
});
