// Servers, key pairs and hypervisors of the practice cloud, if the service has it. Calls use microversions of the Compute
// API: `{ version: '2.53' }`.
import type { Calls } from './calls.ts';
import type { Answer } from './routes.ts';
import type { CallOptions } from './session.ts';

const ACTION = '/compute/v2.1/servers/{id}/action';
const SERVER = '/compute/v2.1/servers/{id}';

/** Actions without arguments. */
type PlainAction = 'os-start' | 'os-stop' | 'pause' | 'unpause' | 'suspend' | 'resume' | 'shelve' | 'unshelve';

export const serversOf = (calls: Calls) => {
  const act = calls.write('post', ACTION);
  const plain =
    (name: PlainAction) =>
    async (id: string, options?: CallOptions): Promise<void> => {
      await act(id, { [name]: null }, options);
    };
  return {
    /** Names only; newest first, in pages. */
    list: calls.list('/compute/v2.1/servers'),
    /** Newest first, in pages. */
    details: calls.list('/compute/v2.1/servers/detail'),
    get: calls.plain('get', SERVER),
    /** Returns as soon as the server is placed. A server without a host is in ERROR, and `get` returns the `fault`. */
    create: calls.write('post', '/compute/v2.1/servers'),
    change: calls.write('put', SERVER),
    rename: (id: string, name: string, options?: CallOptions): Promise<Answer<typeof SERVER, 'put'>> =>
      calls.ask('put', SERVER, { segments: [id], body: { server: { name } } }, options) as never,
    delete: calls.plain('delete', SERVER),
    /** Any action, for example `{ resize: { flavorRef: '2' } }`. */
    act,
    start: plain('os-start'),
    stop: plain('os-stop'),
    reboot: async (id: string, type: 'SOFT' | 'HARD' = 'SOFT', options?: CallOptions): Promise<void> => {
      await act(id, { reboot: { type } }, options);
    },
    pause: plain('pause'),
    unpause: plain('unpause'),
    suspend: plain('suspend'),
    resume: plain('resume'),
    shelve: plain('shelve'),
    unshelve: plain('unshelve'),
    metadata: {
      list: calls.plain('get', '/compute/v2.1/servers/{id}/metadata'),
      merge: calls.write('post', '/compute/v2.1/servers/{id}/metadata'),
      replace: calls.write('put', '/compute/v2.1/servers/{id}/metadata'),
      delete: calls.plain('delete', '/compute/v2.1/servers/{id}/metadata/{key}'),
    },
    actions: {
      /** Newest first. */
      list: calls.plain('get', '/compute/v2.1/servers/{id}/os-instance-actions'),
      get: calls.plain('get', '/compute/v2.1/servers/{id}/os-instance-actions/{request}'),
    },
  };
};

export const keypairsOf = (calls: Calls) => ({
  list: calls.list('/compute/v2.1/os-keypairs'),
  get: calls.plain('get', '/compute/v2.1/os-keypairs/{name}'),
  /** Imports a public key. With `{ version: '2.91' }` and without a public key the service generates a key pair. */
  create: calls.write('post', '/compute/v2.1/os-keypairs'),
  delete: calls.plain('delete', '/compute/v2.1/os-keypairs/{name}'),
});

export const hypervisorsOf = (calls: Calls) => ({
  /** Names only; in pages. */
  list: calls.list('/compute/v2.1/os-hypervisors'),
  /** In pages. */
  details: calls.list('/compute/v2.1/os-hypervisors/detail'),
  get: calls.plain('get', '/compute/v2.1/os-hypervisors/{id}'),
});
