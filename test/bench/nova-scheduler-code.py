# Times nova's own filters and weighers over hosts in memory, without nova's databases, queue and Placement. Needs the
# Debian package python3-nova.
#
#   /usr/bin/python3 test/bench/nova-scheduler-code.py [HOSTS ...]
#
# Prints, for each number of hosts (default: 1000 10000), the median time of a decision with the default filters and weighers:
# one instance without special requests. Each host has a running service and ten instances, and is in one of 300 host
# aggregates. nova-scheduler also reads the hosts from its databases in each decision; that is not in the time.
import datetime
import statistics
import sys
import time

from nova import config, objects
from nova.scheduler import host_manager

AGGREGATES = 300
INSTANCES = 10
ROUNDS = 15


class Hosts(host_manager.HostManager):
    """Without the parts that read databases."""

    def refresh_cells_caches(self):
        pass

    def _init_aggregates(self):
        pass

    def _init_instance_info(self, computes_by_cell=None):
        pass


def compute_node(number):
    return objects.ComputeNode(
        id=number, uuid='00000000-0000-4000-8000-%012d' % number, host='host-%d' % number, memory_mb=131072,
        free_ram_mb=100000 - number, memory_mb_used=31072, local_gb=2000, local_gb_used=500, free_disk_gb=1500,
        disk_available_least=1500, vcpus=32, vcpus_used=number % 20, host_ip='10.0.0.1', hypervisor_type='QEMU',
        hypervisor_version=6002000, hypervisor_hostname='host-%d' % number, cpu_info='{"arch": "x86_64"}',
        supported_hv_specs=[objects.HVSpec.from_list(['x86_64', 'kvm', 'hvm'])], numa_topology=None, metrics='[]',
        pci_device_pools=objects.PciDevicePoolList(objects=[]), stats={'num_instances': str(INSTANCES)},
        cpu_allocation_ratio=16.0, ram_allocation_ratio=1.0, disk_allocation_ratio=1.0, updated_at=None)


def host_state(number, aggregates):
    state = host_manager.HostState('host-%d' % number, 'host-%d' % number, 'cell')
    now = datetime.datetime.now(datetime.timezone.utc)
    service = objects.Service(
        id=number, host=state.host, binary='nova-compute', topic='compute', report_count=1, disabled=False,
        disabled_reason=None, forced_down=False, last_seen_up=now, created_at=now, updated_at=now)
    instances = {'instance-%d-%d' % (number, at): None for at in range(INSTANCES)}
    state.update(compute_node(number), dict(service), [aggregates[number % AGGREGATES]], instances)
    return state


def request_spec():
    flavor = objects.Flavor(
        id=1, name='flavor', flavorid='f1', memory_mb=2048, vcpus=2, root_gb=10, ephemeral_gb=0, swap=0, rxtx_factor=1.0,
        vcpu_weight=0, disabled=False, is_public=True, extra_specs={})
    return objects.RequestSpec(
        num_instances=1, instance_uuid='00000000-0000-4000-8000-00000000000a', flavor=flavor,
        image=objects.ImageMeta.from_dict({}), project_id='project', user_id='user', is_bfv=False, availability_zone=None,
        scheduler_hints={}, ignore_hosts=None, force_hosts=None, force_nodes=None, requested_destination=None,
        instance_group=None, retry=None, limits=objects.SchedulerLimits(), numa_topology=None,
        pci_requests=objects.InstancePCIRequests(requests=[]), requested_resources=[])


def main():
    config.parse_args(['nova-scheduler'], default_config_files=[])
    objects.register_all()
    manager = Hosts()
    aggregates = [
        objects.Aggregate(id=at, name='aggregate-%d' % at, hosts=[], metadata={'key-%d' % at: 'value'})
        for at in range(AGGREGATES)]
    spec = request_spec()
    for count in [int(word) for word in sys.argv[1:]] or [1000, 10000]:
        hosts = [host_state(number, aggregates) for number in range(count)]
        times = []
        for _ in range(ROUNDS):
            began = time.process_time()
            passed = manager.get_filtered_hosts(hosts, spec, 0)
            weighed = manager.get_weighed_hosts(passed, spec)
            times.append((time.process_time() - began) * 1000)
            if len(weighed) != count:
                sys.exit('only %d of %d hosts passed' % (len(weighed), count))
        print("nova's filters and weighers, %d hosts: median %.0f ms of CPU per decision" % (count, statistics.median(times)))


if __name__ == '__main__':
    main()
