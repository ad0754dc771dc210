# nova's own client of its scheduler: reads one JSON object per line from standard input, each a step, and writes its
# outcome as one line. Needs the Debian packages python3-nova and python3-oslo.messaging.
import json
import sys

import oslo_messaging as messaging
from nova import baserpc, context, exception, objects, rpc
from nova import conf as nova_conf
from nova.objects import base as objects_base
from nova.scheduler import rpcapi

CONF = nova_conf.CONF
UUID = '00000000-0000-4000-8000-%012d'


def request_spec(options):
    """A request spec as the API and the conductor make it; the options replace fields."""
    flavor = objects.Flavor(
        id=1, name='m1', flavorid='one', memory_mb=512, vcpus=2, root_gb=5, ephemeral_gb=1, swap=64, rxtx_factor=1.0,
        vcpu_weight=0, disabled=False, is_public=True, extra_specs={'hw:cpu_policy': 'dedicated'})
    image = objects.ImageMeta.from_dict({
        'id': UUID % 1, 'name': 'image', 'status': 'active', 'min_ram': 0, 'min_disk': 0, 'disk_format': 'raw',
        'properties': {'hw_cpu_cores': '2', 'hw_qemu_guest_agent': 'yes', 'trait:HW_CPU_X86_AVX': 'required',
                       'hw_architecture': 'x86_64'}})
    cell = objects.InstanceNUMACell(
        id=0, cpuset=set(), pcpuset={0, 1}, memory=512, pagesize=2048, cpu_policy='dedicated')
    spec = objects.RequestSpec(
        num_instances=1, project_id='project', user_id='user', flavor=flavor, image=image, is_bfv=False,
        availability_zone='dock', ignore_hosts=['Other'], force_hosts=None, force_nodes=None,
        scheduler_hints=options.get('hints', {}), retry=None, limits=None, instance_uuid=UUID % 9,
        numa_topology=objects.InstanceNUMATopology(cells=[cell]),
        pci_requests=objects.InstancePCIRequests(requests=[objects.InstancePCIRequest(
            count=1, spec=[{'vendor_id': '8086', 'physical_network': None}], alias_name='vf', request_id=UUID % 3)]),
        security_groups=objects.SecurityGroupList(objects=[objects.SecurityGroup(name='default')]),
        requested_destination=objects.Destination(
            host='one', node='node', aggregates=[','.join([UUID % 4, UUID % 5])], forbidden_aggregates={UUID % 6},
            cell=objects.CellMapping(
                id=1, uuid=UUID % 7, name='cell1', disabled=False, transport_url='rabbit://u:cell-secret@h/',
                database_connection='mysql://u:cell-secret@h/nova')),
        instance_group=objects.InstanceGroup(
            uuid=UUID % 8, name='group', policy='anti-affinity', _rules={'max_server_per_host': '2'},
            members=[UUID % 9], hosts=['one']),
        requested_resources=[objects.RequestGroup(
            requester_id=UUID % 10, resources={'NET_BW_EGR_KILOBIT_PER_SEC': 10}, required_traits={'CUSTOM_NET'})],
        request_level_params=objects.RequestLevelParams(
            root_required={'HW_CPU_X86_AVX'}, same_subtree=[['_a', UUID % 10]]),
        requested_networks=objects.NetworkRequestList(objects=[objects.NetworkRequest(network_id=UUID % 11)]),
        network_metadata=objects.NetworkMetadata(physnets={'public'}, tunneled=True))
    return spec


def shown(selection):
    """What nova reads of a selection."""
    return {
        'compute_node_uuid': selection.compute_node_uuid, 'service_host': selection.service_host,
        'nodename': selection.nodename, 'cell_uuid': selection.cell_uuid,
        'allocation_request': json.loads(selection.allocation_request),
        'allocation_request_version': selection.allocation_request_version,
        'availability_zone': selection.availability_zone,
        # The form that the conductor gives to the compute service.
        'limits': selection.to_dict()['limits'],
        'numa_limits': numa_limits(selection),
    }


def numa_limits(selection):
    limits = selection.limits.numa_topology
    if limits is None:
        return None
    metadata = limits.network_metadata
    return [limits.cpu_allocation_ratio, limits.ram_allocation_ratio, sorted(metadata.physnets), metadata.tunneled]


def select(ctxt, step):
    CONF.set_override('scheduler', step.get('version'), group='upgrade_levels')
    answer = rpcapi.SchedulerAPI().select_destinations(
        ctxt, request_spec(step), step['instances'], return_objects=step.get('return_objects', True),
        return_alternates=step.get('return_alternates', True))
    return [[shown(selection) for selection in selections] for selections in answer]


def cast(ctxt, step):
    api = rpcapi.SchedulerAPI()
    aggregate = objects.Aggregate(id=1, uuid=UUID % 1, name='agg', hosts=['one'], metadata={'a': 'b'})
    instance = objects.Instance(uuid=UUID % 9, host='one', node='node', user_data='instance-secret')
    api.update_aggregates(ctxt, [aggregate])
    api.delete_aggregate(ctxt, aggregate)
    api.update_instance_info(ctxt, 'one', objects.InstanceList(objects=[instance]))
    api.delete_instance_info(ctxt, 'one', UUID % 9)
    api.sync_instance_info(ctxt, 'one', [UUID % 9])


def call(ctxt, step):
    """A call that SchedulerAPI does not make."""
    target = messaging.Target(topic='scheduler', version=step['version'], namespace=step.get('namespace'))
    client = rpc.get_client(target, serializer=objects_base.NovaObjectSerializer())
    return client.prepare(timeout=30).call(ctxt, step['method'])


def ping(ctxt, step):
    return baserpc.BaseAPI('scheduler').ping(ctxt, 'hello', timeout=30)


STEPS = {'select': select, 'cast': cast, 'call': call, 'ping': ping}


def outcome(ctxt, step):
    try:
        return {'value': STEPS[step['do']](ctxt, step)}
    except Exception as error:
        return {
            'error': type(error).__name__,
            'is_nova': isinstance(error, exception.NovaException),
            'is_no_valid_host': isinstance(error, exception.NoValidHost),
            'is_remote': isinstance(error, messaging.RemoteError),
            'text': error.args[0] if error.args else str(error),
        }


def main():
    # As the services of nova do when they start.
    rpc.set_defaults(control_exchange='nova')
    CONF([], project='nova', default_config_files=[sys.argv[1]])
    objects.register_all()
    rpc.init(CONF)
    ctxt = context.RequestContext('user', 'project', auth_token='live-token', request_id='req-' + UUID % 12)
    for line in sys.stdin:
        print(json.dumps(outcome(ctxt, json.loads(line))), flush=True)


main()
