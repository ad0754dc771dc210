import type { HostSource } from '../../scheduler/ports';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import { bootSpec, novaObject } from '../objects/captured.fixture';
import { requestSpecOf } from '../objects/request-spec';
import { readObject } from '../objects/versioned-object';
import { amountsOf, hostsWithout } from './without-instance';

const flavor = novaObject('Flavor', '1.2', {
  name: 'm',
  vcpus: 2,
  memory_mb: 512,
  root_gb: 10,
  ephemeral_gb: 1,
  swap: 512,
});
const specOf = (isBfv: boolean) => requestSpecOf(readObject(bootSpec({ flavor, is_bfv: isBfv }), 'RequestSpec'));

const state = (host: string, numInstances = 3): HostState =>
  ({
    host,
    node: host,
    instances: new Map([['one', {}]]),
    freeRamMb: 1_000,
    freeDiskMb: 5_000,
    diskMbUsed: 20_000,
    vcpusUsed: 4,
    numInstances,
    numIoOps: 1,
  }) as unknown as HostState;

const hostsWith = (numInstances: number): HostSource =>
  ({
    states: () =>
      Promise.resolve(
        new Map([
          ['a', state('a', numInstances)],
          ['b', { ...state('b'), instances: new Map() }],
        ]),
      ),
  }) as unknown as HostSource;

describe('the host of an instance, as if it were not there', () => {
  it.each([
    [
      'counts it',
      3,
      false,
      { freeRamMb: 1_512, freeDiskMb: 16_776, diskMbUsed: 8_224, vcpusUsed: 2, numInstances: 2, numIoOps: 0 },
    ],
    [
      'counts it without its root volume',
      3,
      true,
      { freeRamMb: 1_512, freeDiskMb: 6_536, vcpusUsed: 2, numInstances: 2, numIoOps: 0 },
    ],
    [
      'does not count it yet',
      0,
      false,
      { freeRamMb: 1_000, freeDiskMb: 5_000, vcpusUsed: 4, numInstances: 0, numIoOps: 1 },
    ],
  ])('has its amounts free if the node %s', async (_what, numInstances, isBfv, expected) => {
    const hosts = hostsWithout(hostsWith(numInstances), [amountsOf('one', specOf(isBfv))]);
    const states = await hosts.states(new Map(), { nowMs: 0, novaCompat: true });
    expect(states.get('a')).toMatchObject(expected);
    expect(states.get('a')?.instances.size).toBe(0);
    expect(states.get('b')).toEqual({ ...state('b'), instances: new Map() });
  });
});
