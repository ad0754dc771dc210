// Configuration files with the groups and options that deployment tools write for Placement and nova.

interface DeployedFile {
  readonly name: string;
  readonly text: string;
}

const AUTHTOKEN = `[keystone_authtoken]
www_authenticate_uri = https://identity.example.com
auth_url = https://identity.internal:5000
auth_type = password
project_domain_name = Default
user_domain_name = Default
project_name = service
username = placement
password = p4ss
region_name = RegionOne
cafile = /etc/ssl/certs/ca-certificates.crt
memcached_servers = 10.0.0.1:11211,10.0.0.2:11211
memcache_security_strategy = ENCRYPT
memcache_secret_key = s3cret
service_token_roles = service
service_token_roles_required = True
service_type = placement
`;

const NOVA = `[DEFAULT]
debug = False
log_dir = /var/log/kolla/nova
state_path = /var/lib/nova
allow_resize_to_same_host = true
compute_driver = libvirt.LibvirtDriver
my_ip = 10.0.0.1
transport_url = rabbit://openstack:p4ss@10.0.0.1:5672//
default_schedule_zone = nova
block_device_allocate_retries = 60
metadata_workers = 4
osapi_compute_workers = 4
osapi_compute_listen = 10.0.0.1
cpu_allocation_ratio = 4.0
reserved_host_memory_mb = 512

[api]
auth_strategy = noauth2
use_forwarded_for = true
max_limit = 1000

[conductor]
workers = 4

[vnc]
novncproxy_host = 10.0.0.1
server_listen = 10.0.0.1

[oslo_concurrency]
lock_path = /var/lib/nova/tmp

[glance]
api_servers = http://10.0.0.1:9292
num_retries = 3

[cinder]
catalog_info = volumev3:cinderv3:internalURL

[neutron]
metadata_proxy_shared_secret = s3cret
service_metadata_proxy = true
auth_url = http://10.0.0.1:5000

[libvirt]
connection_uri = qemu+tcp://10.0.0.1/system
virt_type = kvm

[database]
connection = mysql+pymysql://nova:p4ss@10.0.0.1/nova
max_pool_size = 1
max_overflow = 1000
max_retries = -1

[api_database]
connection = mysql+pymysql://nova_api:p4ss@10.0.0.1/nova_api
max_retries = -1

[cache]
backend = oslo_cache.memcache_pool
enabled = True
memcache_servers = 10.0.0.1:11211

[wsgi]
api_paste_config = /etc/nova/api-paste.ini

[oslo_messaging_notifications]
driver = noop

[oslo_messaging_rabbit]
heartbeat_in_pthread = false
rabbit_quorum_queue = true

[oslo_policy]
enforce_new_defaults = true

[privsep_entrypoint]
helper_command = sudo nova-rootwrap /etc/nova/rootwrap.conf privsep-helper --config-file /etc/nova/nova.conf

[guestfs]
debug = false

[placement]
auth_type = password
auth_url = http://10.0.0.1:5000
username = placement
password = p4ss
valid_interfaces = internal

[notifications]
notify_on_state_change = vm_and_task_state

[scheduler]
max_attempts = 10
discover_hosts_in_cells_interval = 60
workers = 5

[filter_scheduler]
enabled_filters = ComputeFilter,ImagePropertiesFilter,ServerGroupAntiAffinityFilter
available_filters = nova.scheduler.filters.all_filters
track_instance_changes = false

[compute]
cpu_shared_set = 0-3
max_disk_devices_to_attach = -1

[service_user]
send_service_user_token = true

[barbican]
auth_endpoint = http://10.0.0.1:5000
`;

export const DEPLOYED_FILES: Readonly<Record<string, DeployedFile>> = {
  'Kolla writes for Placement': {
    name: 'placement.conf',
    text: `[DEFAULT]
debug = False
log_dir = /var/log/kolla/placement
log_file = /var/log/kolla/placement/placement-api.log
state_path = /var/lib/placement
osapi_compute_listen = 10.0.0.1
my_ip = 10.0.0.1
transport_url = rabbit://openstack:p4ss@10.0.0.1:5672//

[api]
use_forwarded_for = true

[oslo_middleware]
enable_proxy_headers_parsing = True

[oslo_concurrency]
lock_path = /var/lib/placement/tmp

[placement_database]
connection = mysql+pymysql://placement:p4ss@10.0.0.1:3306/placement
connection_recycle_time = 10
max_overflow = 1000
max_pool_size = 1
max_retries = -1

[cache]
backend = oslo_cache.memcache_pool
enabled = True
memcache_servers = 10.0.0.1:11211,10.0.0.2:11211

${AUTHTOKEN}
[oslo_policy]
policy_file = policy.yaml

[profiler]
enabled = true
trace_sqlalchemy = true
hmac_keys = k3y
connection_string = elasticsearch://10.0.0.1:9200
`,
  },
  'OpenStack-Ansible writes for Placement': {
    name: 'placement.conf',
    text: `[DEFAULT]
debug = False
use_journal = True
use_stderr = False
fatal_deprecations = False
default_log_levels = amqp=WARN,sqlalchemy=WARN,oslo.messaging=INFO

[api]
auth_strategy = keystone

${AUTHTOKEN}insecure = False
token_cache_time = 300
delay_auth_decision = False

[oslo_messaging_rabbit]
ssl = True
rpc_conn_pool_size = 30

[placement]
randomize_allocation_candidates = True

[placement_database]
connection = mysql+pymysql://placement:p4ss@10.0.0.1/placement?charset=utf8&ssl_verify_cert=true
max_overflow = 50
max_pool_size = 5
pool_timeout = 30
connection_recycle_time = 600

[oslo_policy]
policy_file = policy.yaml
policy_default_rule = default
policy_dirs = /etc/placement/policy.d
`,
  },
  'puppet and TripleO write for Placement': {
    name: 'placement.conf',
    text: `[DEFAULT]
debug=True
log_dir=/var/log/placement
state_path=/var/lib/placement
tempdir=/var/lib/placement/tmp

[api]
auth_strategy=keystone

[cors]
allowed_origin=https://horizon.example.com

${AUTHTOKEN}auth_section=keystone_authtoken
include_service_catalog=false
enforce_token_bind=permissive
interface=internal
memcache_use_advanced_pool=True
memcache_pool_maxsize=10
memcache_pool_socket_timeout=3

[oslo_concurrency]
lock_path=/var/lib/placement/tmp

[oslo_messaging_notifications]
driver=noop

[oslo_middleware]
enable_proxy_headers_parsing=True
max_request_body_size=114688

[oslo_policy]
enforce_scope=False
enforce_new_defaults=False
policy_file=/etc/placement/policy.yaml

[placement_database]
connection=mysql+pymysql://placement:p4ss@overcloud/placement?read_default_group=tripleo&read_default_file=/etc/my.cnf.d/tripleo.cnf
db_max_retries=-1
max_retries=-1
slave_connection=mysql+pymysql://placement:p4ss@replica/placement
mysql_sql_mode=TRADITIONAL
use_db_reconnect=True
sync_on_startup=False

[placement]
incomplete_consumer_project_id=00000000-0000-0000-0000-000000000000
allocation_conflict_retry_count=10
`,
  },
  'devstack writes for Placement': {
    name: 'placement.conf',
    text: `[DEFAULT]
debug = True
logging_context_format_string = %(color)s%(levelname)s %(name)s [%(request_id)s %(project_name)s]
logging_exception_prefix = ERROR %(name)s
logging_default_format_string = %(asctime)s.%(msecs)03d %(color)s%(levelname)s %(name)s
logging_debug_format_suffix = {{(pid=%(process)d) %(funcName)s %(pathname)s:%(lineno)d}}

[placement_database]
connection = mysql+pymysql://root:p4ss@127.0.0.1/placement?charset=utf8

[api]
auth_strategy = keystone

${AUTHTOKEN}[oslo_policy]
enforce_new_defaults = True
enforce_scope = True
`,
  },
  'a Juju charm writes for Placement': {
    name: 'placement.conf',
    text: `[DEFAULT]
debug = false
verbose = false
use_syslog = False

[placement_database]
connection = mysql://placement:p4ss@10.0.0.9:3306/placement?ssl_ca=/etc/placement/mysql.pem
min_pool_size = 1
max_pool_size = 10
idle_timeout = 3600

[oslo_messaging_notifications]
transport_url = rabbit://placement:p4ss@10.0.0.1:5672/openstack

[api]
auth_strategy = keystone

${AUTHTOKEN}auth_uri = https://identity.example.com
signing_dir = /var/cache/placement
auth_version = v3

[placement]
randomize_allocation_candidates = true

[oslo_middleware]
enable_proxy_headers_parsing = true
`,
  },
  'Kolla writes for nova': { name: 'nova.conf', text: NOVA },
};
