# nova's own scheduler, as a reference for comparisons: reads one JSON object per line from standard input, each a step,
# and writes its outcome as one line. Needs the Debian package python3-nova.
import json
import sys

from keystoneauth1 import noauth
from nova import config, context, objects
from nova.objects import base as objects_base
from nova.pci import request as pci_request
from nova.scheduler import manager as scheduler_manager
from nova import conf as nova_conf
from nova.virt import hardware

CONF = nova_conf.CONF
SERIALIZER = objects_base.NovaObjectSerializer()


def columns(step):
    """Columns of compute_nodes that hold objects, in the form that nova stores."""
    numa = None
    if step['numa'] is not None:
        numa = objects.NUMATopology(cells=[numa_cell(cell) for cell in step['numa']])._to_json()
    pools = objects.PciDevicePoolList(objects=[objects.PciDevicePool(**pool) for pool in step['pools']])
    return {'numa_topology': numa, 'pci_stats': json.dumps(pools.obj_to_primitive())}


def numa_cell(cell):
    metadata = objects.NetworkMetadata(physnets=set(cell.pop('physnets')), tunneled=False)
    for name in ('cpuset', 'pcpuset', 'pinned_cpus'):
        cell[name] = set(cell[name])
    siblings = [set(group) for group in cell.pop('siblings')]
    pages = [objects.NUMAPagesTopology(reserved=0, **page) for page in cell.pop('mempages')]
    return objects.NUMACell(siblings=siblings, mempages=pages, network_metadata=metadata, **cell)


def request_spec(ctxt, step):
    flavor = objects.Flavor(
        id=1, name='flavor', flavorid='f1', rxtx_factor=1.0, vcpu_weight=0, disabled=False, is_public=True,
        **step['flavor'])
    image = objects.ImageMeta.from_dict({
        'id': '00000000-0000-4000-8000-00000000000a', 'name': 'image', 'status': 'active', 'min_ram': 0, 'min_disk': 0,
        'disk_format': 'raw', 'container_format': 'bare', 'properties': {}, **step.get('image', {})})
    pci = pci_request.get_pci_requests_from_flavor(
        flavor, affinity_policy=hardware.get_pci_numa_policy_constraint(flavor, image))
    pci.requests.extend(objects.InstancePCIRequest(**port) for port in step.get('pci_ports', []))
    return objects.RequestSpec(
        num_instances=len(step['instances']), instance_uuid=step['instances'][0], flavor=flavor, image=image,
        project_id=step.get('project_id', 'project'), user_id='user', is_bfv=step.get('is_bfv', False),
        availability_zone=step.get('availability_zone'), scheduler_hints=step.get('hints', {}),
        ignore_hosts=step.get('ignore_hosts'), force_hosts=step.get('force_hosts'), force_nodes=step.get('force_nodes'),
        requested_destination=destination(ctxt, step.get('destination')), instance_group=group(step.get('group')),
        retry=retries(step.get('retry')), limits=objects.SchedulerLimits(),
        numa_topology=hardware.numa_get_constraints(flavor, image), pci_requests=pci,
        security_groups=objects.SecurityGroupList(objects=[]), requested_resources=[resource_group(given) for given in step.get('requested_resources', [])],
        request_level_params=objects.RequestLevelParams(), requested_networks=objects.NetworkRequestList(objects=[]),
        network_metadata=objects.NetworkMetadata(physnets=set(step.get('physnets', [])), tunneled=False))


def destination(ctxt, given):
    if given is None:
        return None
    if 'forbidden_aggregates' in given:
        given['forbidden_aggregates'] = set(given['forbidden_aggregates'])
    made = objects.Destination(**{name: given[name] for name in given if name != 'cell'})
    if 'cell' in given:
        made.cell = objects.CellMapping.get_by_uuid(ctxt, given['cell'])
    return made


def resource_group(given):
    traits = set(given.pop('required_traits'))
    return objects.RequestGroup(use_same_provider=True, required_traits=traits, **given)


def group(given):
    if given is None:
        return None
    rules = given.pop('rules')
    return objects.InstanceGroup(name='group', _rules=rules, policies=[given['policy']], **given)


def retries(tried):
    if tried is None:
        return None
    nodes = [objects.ComputeNode(host=name, hypervisor_hostname=name) for name in tried]
    return objects.SchedulerRetries(num_attempts=len(tried) + 1, hosts=objects.ComputeNodeList(objects=nodes))


class Reference:
    def __init__(self):
        self.manager = scheduler_manager.SchedulerManager()
        self.passes = []
        hosts = self.manager.host_manager
        weigh = hosts.get_weighed_hosts

        def get_weighed_hosts(filtered, spec):
            weighed = weigh(filtered, spec)
            self.passes.append([[each.obj.host, each.weight] for each in weighed])
            return weighed

        hosts.get_weighed_hosts = get_weighed_hosts

    def select(self, ctxt, step):
        """Decides, and returns the request spec as the conductor would have sent it."""
        spec = request_spec(ctxt, step)
        sent = SERIALIZER.serialize_entity(ctxt, spec)
        self.passes.clear()
        try:
            selections = self.manager.select_destinations(
                ctxt, spec_obj=spec, instance_uuids=step['instances'], return_objects=True,
                return_alternates=step['return_alternates'])
            outcome = {'selections': SERIALIZER.serialize_entity(ctxt, selections)}
        except Exception as error:
            # The decorator of the method keeps the exception.
            cause = error.exc_info[1] if hasattr(error, 'exc_info') else error
            outcome = {'error': type(cause).__name__, 'text': str(cause)}
        return {'sent': sent, 'passes': self.passes, **outcome}


def main():
    # As the services of nova do when they start.
    config.parse_args(['nova-scheduler', '--config-file', sys.argv[1]])
    CONF.set_override('auth_type', 'none', group='placement')
    CONF.set_override('endpoint_override', sys.argv[2], group='placement')
    noauth.NoAuth.get_token = lambda self, session, **kwargs: 'admin'
    objects.register_all()
    ctxt = context.get_admin_context()
    reference = None
    for line in sys.stdin:
        step = json.loads(line)
        if step.pop('do') == 'columns':
            outcome = columns(step)
        else:
            # The scheduler connects to Placement when it starts.
            reference = reference or Reference()
            outcome = reference.select(ctxt, step)
        print(json.dumps(outcome), flush=True)


if __name__ == "__main__":
    main()
