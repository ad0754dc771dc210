// nova's own client calls a server. Skipped without the Debian packages python3-nova and python3-oslo.messaging, unless
// BERTH_REQUIRE_CLIENTS=1.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { syncedInstancesOf, updatedInstancesOf } from '../../src/nova/objects/cast-views';
import { allocationUpdateFailed, noValidHost, runtimeError } from '../../src/nova/objects/failure';
import { requestSpecOf } from '../../src/nova/objects/request-spec';
import { selectionOf } from '../../src/nova/objects/selection';
import { readObject } from '../../src/nova/objects/versioned-object';
import { rabbitOptionsFrom } from '../../src/nova/rpc/rabbit-options';
import { until } from '../../src/nova/rpc/rpc-client.fixture';
import type { RpcCall, RpcContext } from '../../src/nova/rpc/rpc-methods';
import { baseEndpoint, RpcFailure } from '../../src/nova/rpc/rpc-methods';
import { RpcServer } from '../../src/nova/rpc/rpc-server';
import { parseTransportUrl } from '../../src/nova/rpc/transport-url';
import { hasRabbit, Rabbit } from '../support/rabbit';

type Json = Record<string, any>;

const PYTHON = '/usr/bin/python3';
const isInstalled = hasRabbit() && hasModules();
const suite = isInstalled || process.env['BERTH_REQUIRE_CLIENTS'] === '1' ? describe : describe.skip;
const SUITE = isInstalled ? 'the client of nova' : 'the client of nova, which is not installed (Debian: python3-nova)';

function hasModules(): boolean {
  try {
    execFileSync(PYTHON, ['-c', 'import nova.scheduler.rpcapi, oslo_messaging'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const uuid = (id: number): string => `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
/** Seconds that nova's client waits for a reply or a heartbeat. */
const RESPONSE_TIMEOUT = 4;

const ALLOCATION_REQUEST = {
  allocations: { [uuid(20)]: { resources: { VCPU: 2, MEMORY_MB: 512 } } },
  mappings: { '': [uuid(20)], [uuid(10)]: [uuid(20)] },
};
const SELECTION = {
  computeNodeUuid: uuid(20),
  serviceHost: 'one',
  nodename: 'node',
  cellUuid: uuid(7),
  limits: {},
  allocationRequest: ALLOCATION_REQUEST,
  allocationRequestVersion: '1.36',
  availabilityZone: 'dock',
};
const READ_SELECTION = {
  compute_node_uuid: uuid(20),
  service_host: 'one',
  nodename: 'node',
  cell_uuid: uuid(7),
  limits: {},
  numa_limits: null,
  allocation_request: ALLOCATION_REQUEST,
  allocation_request_version: '1.36',
  availability_zone: 'dock',
};

const FAILURES: Record<string, RpcFailure | Error> = {
  no_valid_host: new RpcFailure(noValidHost('Host one is full (request req-1).')),
  policy: new RpcFailure({
    class: 'UnsupportedPolicyException',
    module: 'nova.exception',
    message: 'The filter is off.',
    kwargs: { reason: 'off', code: 400 },
  }),
  allocations: new RpcFailure(allocationUpdateFailed(uuid(9), 'another writer')),
  runtime: new RpcFailure(runtimeError('Out of order.')),
  unexpected: new Error('hidden'),
};

suite(SUITE, () => {
  let rabbit: Rabbit;
  let server: RpcServer;
  let folder: string;
  let calls: { readonly args: Json; readonly context: RpcContext }[] = [];
  let casts: [string, Json][] = [];
  const lines: string[] = [];
  let client: ChildProcessWithoutNullStreams;
  const [output, errors]: [string[], string[]] = [[], []];

  const select: RpcCall = async (args, context) => {
    calls.push({ args, context });
    const spec = requestSpecOf(readObject(args['spec_obj'], 'RequestSpec'));
    const hint = (name: string): string | undefined => spec.schedulerHints[name]?.[0];
    const failure = FAILURES[hint('fail') ?? ''];
    if (failure !== undefined) throw failure;
    await sleep(Number(hint('seconds') ?? 0) * 1_000);
    const isCheck = spec.checkType === 'rebuild';
    const numa = {
      cpuAllocationRatio: 4,
      ramAllocationRatio: 1.5,
      network: { physnets: ['public'], tunneled: true },
    };
    const selection = selectionOf({
      ...SELECTION,
      ...(isCheck && { allocationRequest: null, allocationRequestVersion: null }),
      ...(hint('limits') !== undefined && { limits: { memoryMb: 768, numa } }),
    });
    const uuids = args['instance_uuids'] as readonly string[];
    return { result: uuids.map(() => (args['return_alternates'] === true ? [selection, selection] : [selection])) };
  };

  const castMethods = Object.fromEntries(
    ['update_aggregates', 'delete_aggregate', 'update_instance_info', 'delete_instance_info', 'sync_instance_info'].map(
      (method) => [method, (args: Json): void => void casts.push([method, args])],
    ),
  );

  beforeAll(async () => {
    rabbit = await Rabbit.start();
    folder = mkdtempSync(join(tmpdir(), 'berth-oslo-'));
    const conf = [
      '[DEFAULT]',
      `transport_url = ${rabbit.transportUrl}`,
      `rpc_response_timeout = ${RESPONSE_TIMEOUT}`,
      'long_rpc_timeout = 60',
      '[oslo_messaging_rabbit]',
      'rabbit_retry_interval = 1',
      '',
    ];
    writeFileSync(join(folder, 'nova.conf'), conf.join('\n'));
    const write = (fields: object, message: string): void => void lines.push(message + JSON.stringify(fields));
    server = new RpcServer(
      {
        exchange: 'nova',
        topic: 'scheduler',
        server: 'control',
        program: 'berth-scheduler',
        transport: parseTransportUrl(rabbit.transportUrl),
        rabbit: rabbitOptionsFrom({}),
      },
      [
        {
          namespace: null,
          version: '4.5',
          oldest: { select_destinations: '4.5' },
          calls: { select_destinations: select },
          casts: castMethods,
        },
        baseEndpoint('scheduler'),
      ],
      { info: write, warn: write },
    );
    server.start();
    await until('a connection', () => server.isReady);
    client = spawn(PYTHON, [join(__dirname, 'oslo-client.py'), join(folder, 'nova.conf')]);
    createInterface(client.stdout).on('line', (line) => output.push(line));
    client.stderr.on('data', (part: Buffer) => errors.push(part.toString()));
  });
  afterAll(async () => {
    client.kill();
    await server.drain();
    await rabbit.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    [calls, casts] = [[], []];
  });

  /** The outcomes of steps. All tests share one process of the client, because its start takes seconds. */
  const outcomesOf = async (steps: readonly Json[]): Promise<readonly Json[]> => {
    const first = output.length;
    client.stdin.write(steps.map((each) => `${JSON.stringify(each)}\n`).join(''));
    await until('the outcomes', () => {
      if (client.exitCode !== null) throw new Error(`the client ended with ${client.exitCode}: ${errors.join('')}`);
      return output.length === first + steps.length;
    });
    return output.slice(first).map((line) => JSON.parse(line) as Json);
  };
  const step = (hints: Json = {}, options: Json = {}): Json => ({
    do: 'select',
    instances: [uuid(9)],
    hints,
    ...options,
  });

  it('receives selections, in each form that nova asks for', async () => {
    const outcomes = await outcomesOf([
      step(),
      step({}, { return_alternates: false, instances: [uuid(9), uuid(30)] }),
      step({ _nova_check_type: ['rebuild'] }, { return_alternates: false }),
      step({ limits: ['all'] }, { return_alternates: false }),
    ]);
    const check = { ...READ_SELECTION, allocation_request: null, allocation_request_version: null };
    expect(outcomes).toEqual([
      { value: [[READ_SELECTION, READ_SELECTION]] },
      { value: [[READ_SELECTION], [READ_SELECTION]] },
      { value: [[check]] },
      { value: [[expect.objectContaining({ numa_limits: [4, 1.5, ['public'], true] })]] },
    ]);
    expect(outcomes[3]?.['value'][0][0].limits).toMatchObject({ memory_mb: 768 });
  });

  it('sends a request spec that is read whole', async () => {
    await outcomesOf([step({ group: ['web'] })]);
    const [call] = calls;
    const [args, context]: [Json, RpcContext | undefined] = [call?.args ?? {}, call?.context];
    expect(args).toMatchObject({ instance_uuids: [uuid(9)], return_objects: true, return_alternates: true });
    expect(context).toMatchObject({ userId: 'user', projectId: 'project', requestId: `req-${uuid(12)}` });
    expect(JSON.stringify(context)).not.toContain('live-token');
    expect(requestSpecOf(readObject(args['spec_obj'], 'RequestSpec'))).toEqual({
      projectId: 'project',
      userId: 'user',
      flavor: {
        name: 'm1',
        vcpus: 2,
        memoryMb: 512,
        rootGb: 5,
        ephemeralGb: 1,
        swapMb: 64,
        extraSpecs: { 'hw:cpu_policy': 'dedicated' },
      },
      image: {
        id: uuid(1),
        name: 'image',
        diskFormat: 'raw',
        properties: {
          hw_cpu_cores: '2',
          hw_qemu_guest_agent: 'true',
          hw_architecture: 'x86_64',
          'trait:HW_CPU_X86_AVX': 'required',
        },
      },
      isBfv: false,
      availabilityZone: 'dock',
      ignoreHosts: ['Other'],
      forceHosts: [],
      forceNodes: [],
      schedulerHints: { group: ['web'] },
      checkType: null,
      requestedDestination: {
        host: 'one',
        node: 'node',
        cell: uuid(7),
        allowCrossCellMove: false,
        aggregates: [[uuid(4), uuid(5)]],
        forbiddenAggregates: [uuid(6)],
      },
      retry: null,
      instanceGroup: {
        uuid: uuid(8),
        name: 'group',
        policy: 'anti-affinity',
        maxServerPerHost: 2,
        members: [uuid(9)],
        hosts: ['one'],
      },
      numaTopology: {
        emulator_threads_policy: null,
        cells: [
          {
            id: 0,
            cpuset: [],
            pcpuset: [0, 1],
            memory: 512,
            pagesize: 2048,
            cpu_policy: 'dedicated',
            cpu_thread_policy: null,
          },
        ],
      },
      pciRequests: [
        {
          count: 1,
          spec: [{ vendor_id: '8086', physical_network: null }],
          alias_name: 'vf',
          request_id: uuid(3),
          numa_policy: null,
        },
      ],
      requestedResources: [
        {
          requester_id: uuid(10),
          resources: { NET_BW_EGR_KILOBIT_PER_SEC: 10 },
          required_traits: ['CUSTOM_NET'],
          forbidden_traits: [],
          aggregates: [],
          forbidden_aggregates: [],
          in_tree: null,
        },
      ],
      shared: [],
      requestLevelParams: {
        root_required: ['HW_CPU_X86_AVX'],
        root_forbidden: [],
        same_subtree: [['_a', uuid(10)]],
      },
      requestedNetworks: [{ network_id: uuid(11), port_id: null }],
      networkMetadata: { physnets: ['public'], tunneled: true },
      unknownFields: [],
    });
  });

  it('raises each failure as nova expects it', async () => {
    const outcomes = await outcomesOf(Object.keys(FAILURES).map((fail) => step({ fail: [fail] })));
    expect(outcomes).toEqual([
      expect.objectContaining({
        error: 'NoValidHost_Remote',
        is_no_valid_host: true,
        text: 'No valid host was found. Host one is full (request req-1).',
      }),
      expect.objectContaining({ error: 'UnsupportedPolicyException_Remote', is_nova: true }),
      expect.objectContaining({
        error: 'AllocationUpdateFailed_Remote',
        is_nova: true,
        text: `Failed to update allocations for consumer ${uuid(9)}. Error: another writer`,
      }),
      // Built-in exceptions keep their class; the client appends the traceback, which is empty.
      expect.objectContaining({ error: 'RuntimeError', is_nova: false, text: 'Out of order.\n' }),
      expect.objectContaining({ error: 'RuntimeError', is_nova: false }),
    ]);
    expect(outcomes[4]?.['text']).not.toContain('hidden');
  });

  it('is refused with other versions, methods and namespaces', async () => {
    const old = (version: string, options: Json = {}): Json =>
      step({}, { version, return_objects: false, return_alternates: false, ...options });
    const outcomes = await outcomesOf([
      old('4.4'),
      old('4.3'),
      old('4.0'),
      old('4.4', { return_objects: true }),
      { do: 'call', method: 'fly', version: '4.5' },
      { do: 'call', method: 'select_destinations', version: '5.0' },
      { do: 'call', method: 'ping', version: '1.0', namespace: 'elsewhere' },
    ]);
    expect(outcomes.map(({ error, text }) => [error, /Version|Method/.exec(text as string)?.[0]])).toEqual([
      ['RemoteError', 'Version'],
      ['RemoteError', 'Version'],
      ['RemoteError', 'Version'],
      // The client refuses by itself.
      ['SelectionObjectsWithOldRPCVersionNotSupported', undefined],
      ['RemoteError', 'Method'],
      ['RemoteError', 'Version'],
      ['RemoteError', 'Version'],
    ]);
    expect(calls).toEqual([]);
  });

  it('waits for a long call as long as heartbeats arrive', async () => {
    const [outcome] = await outcomesOf([
      step({ seconds: [String(RESPONSE_TIMEOUT * 2)] }, { return_alternates: false }),
    ]);
    expect(outcome).toEqual({ value: [[READ_SELECTION]] });
  });

  it('pings', async () => {
    expect(await outcomesOf([{ do: 'ping' }])).toEqual([{ value: { service: 'scheduler', arg: 'hello' } }]);
  });

  it('sends casts', async () => {
    await outcomesOf([{ do: 'cast' }]);
    await until('five casts', () => casts.length === 5);
    expect(casts.map(([method]) => method)).toEqual(Object.keys(castMethods));
    expect(updatedInstancesOf(casts[2]?.[1] ?? {})).toEqual({ host: 'one', instanceUuids: [uuid(9)] });
    expect(syncedInstancesOf(casts[4]?.[1] ?? {})).toEqual({ host: 'one', instanceUuids: [uuid(9)] });
  });

  it('has sent secrets, and the log has none', () => {
    expect(lines.join('\n')).not.toMatch(/live-token|cell-secret|instance-secret/);
  });
});
