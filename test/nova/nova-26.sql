-- Fixture for the reader of nova's databases: one API database and one cell database of nova 26 (Zed).
-- Schema: `nova-manage api_db sync` and `nova-manage db sync` of Debian's python3-nova 26.2.2 on MariaDB 10.11.
-- Rows: written by nova 26.2.2's own code (cell_v2 map_cell0, create_cell, discover_hosts; Service, Aggregate, Instance
-- objects; the libvirt driver over nova's fake libvirt with the real resource tracker and claims). Left out: tables that
-- nova-scheduler does not read. nova_cell0 is mapped and does not exist here: it must never be contacted.
-- cmp1: libvirt, 2 NUMA cells, hugepages, PCI pools, metrics; one pinned instance with a VF. cmp2: libvirt, 1 cell, one
-- plain instance and one deleted instance. cmp3: fake driver, no NUMA, disabled. cmp0: service and node deleted, no mapping.
-- aggregate 1 holds cmp1 and cmp2. All times are UTC; services.last_seen_up is in the past: set the clock or update it.
-- The cell's URLs are templates: [database] connection = mysql+pymysql://USER:PW@HOST:PORT/nova_cell0 fills them.
SET NAMES utf8mb4;
SET FOREIGN_KEY_CHECKS = 0;
SET SQL_MODE = 'NO_AUTO_VALUE_ON_ZERO';

CREATE DATABASE `nova_api` DEFAULT CHARACTER SET utf8mb3;
USE `nova_api`;
CREATE TABLE `alembic_version` (
  `version_num` varchar(32) NOT NULL,
  PRIMARY KEY (`version_num`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
INSERT INTO `alembic_version` (`version_num`) VALUES ('b30f573d3377');
CREATE TABLE `cell_mappings` (
  `created_at` datetime DEFAULT NULL,
  `updated_at` datetime DEFAULT NULL,
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `uuid` varchar(36) NOT NULL,
  `name` varchar(255) DEFAULT NULL,
  `transport_url` text DEFAULT NULL,
  `database_connection` text DEFAULT NULL,
  `disabled` tinyint(1) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uniq_cell_mappings0uuid` (`uuid`),
  KEY `uuid_idx` (`uuid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
INSERT INTO `cell_mappings` (`created_at`, `updated_at`, `id`, `uuid`, `name`, `transport_url`, `database_connection`, `disabled`) VALUES ('2026-11-23 12:45:39',NULL,1,'00000000-0000-0000-0000-000000000000','cell0','none:///','{scheme}://{username}:{password}@{hostname}:{port}/nova_cell0?{query}',0);
INSERT INTO `cell_mappings` (`created_at`, `updated_at`, `id`, `uuid`, `name`, `transport_url`, `database_connection`, `disabled`) VALUES ('2026-11-23 12:46:47',NULL,2,'a04e711c-bef7-47a3-8ffc-a19e4e47af49','cell1','{scheme}://{username}:{password}@{hostname}:{port}/{path}','{scheme}://{username}:{password}@{hostname}:{port}/nova_cell1?{query}',0);
CREATE TABLE `host_mappings` (
  `created_at` datetime DEFAULT NULL,
  `updated_at` datetime DEFAULT NULL,
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `cell_id` int(11) NOT NULL,
  `host` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uniq_host_mappings0host` (`host`),
  KEY `cell_id` (`cell_id`),
  KEY `host_idx` (`host`),
  CONSTRAINT `host_mappings_ibfk_1` FOREIGN KEY (`cell_id`) REFERENCES `cell_mappings` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
INSERT INTO `host_mappings` (`created_at`, `updated_at`, `id`, `cell_id`, `host`) VALUES ('2026-11-23 12:58:38',NULL,2,2,'cmp1');
INSERT INTO `host_mappings` (`created_at`, `updated_at`, `id`, `cell_id`, `host`) VALUES ('2026-11-23 12:58:38',NULL,3,2,'cmp2');
INSERT INTO `host_mappings` (`created_at`, `updated_at`, `id`, `cell_id`, `host`) VALUES ('2026-11-23 12:58:38',NULL,4,2,'cmp3');
CREATE TABLE `aggregates` (
  `created_at` datetime DEFAULT NULL,
  `updated_at` datetime DEFAULT NULL,
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `uuid` varchar(36) DEFAULT NULL,
  `name` varchar(255) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uniq_aggregate0name` (`name`),
  KEY `aggregate_uuid_idx` (`uuid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
INSERT INTO `aggregates` (`created_at`, `updated_at`, `id`, `uuid`, `name`) VALUES ('2026-11-23 12:58:43',NULL,1,'d4070959-9eb9-42f2-906c-7a2d234285bb','agg-fast');
CREATE TABLE `aggregate_hosts` (
  `created_at` datetime DEFAULT NULL,
  `updated_at` datetime DEFAULT NULL,
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `host` varchar(255) DEFAULT NULL,
  `aggregate_id` int(11) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uniq_aggregate_hosts0host0aggregate_id` (`host`,`aggregate_id`),
  KEY `aggregate_id` (`aggregate_id`),
  CONSTRAINT `aggregate_hosts_ibfk_1` FOREIGN KEY (`aggregate_id`) REFERENCES `aggregates` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
INSERT INTO `aggregate_hosts` (`created_at`, `updated_at`, `id`, `host`, `aggregate_id`) VALUES ('2026-11-23 12:58:43',NULL,1,'cmp1',1);
INSERT INTO `aggregate_hosts` (`created_at`, `updated_at`, `id`, `host`, `aggregate_id`) VALUES ('2026-11-23 12:58:43',NULL,2,'cmp2',1);
CREATE TABLE `aggregate_metadata` (
  `created_at` datetime DEFAULT NULL,
  `updated_at` datetime DEFAULT NULL,
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `aggregate_id` int(11) NOT NULL,
  `key` varchar(255) NOT NULL,
  `value` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uniq_aggregate_metadata0aggregate_id0key` (`aggregate_id`,`key`),
  KEY `aggregate_metadata_key_idx` (`key`),
  CONSTRAINT `aggregate_metadata_ibfk_1` FOREIGN KEY (`aggregate_id`) REFERENCES `aggregates` (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
INSERT INTO `aggregate_metadata` (`created_at`, `updated_at`, `id`, `aggregate_id`, `key`, `value`) VALUES ('2026-11-23 12:58:43',NULL,1,1,'availability_zone','az1');
INSERT INTO `aggregate_metadata` (`created_at`, `updated_at`, `id`, `aggregate_id`, `key`, `value`) VALUES ('2026-11-23 12:58:43',NULL,2,1,'ssd','true');
INSERT INTO `aggregate_metadata` (`created_at`, `updated_at`, `id`, `aggregate_id`, `key`, `value`) VALUES ('2026-11-23 12:58:43',NULL,3,1,'cpu_weight_multiplier','2.5');

CREATE DATABASE `nova_cell1` DEFAULT CHARACTER SET utf8mb3;
USE `nova_cell1`;
CREATE TABLE `alembic_version` (
  `version_num` varchar(32) NOT NULL,
  PRIMARY KEY (`version_num`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
INSERT INTO `alembic_version` (`version_num`) VALUES ('ccb0fa1a2252');
CREATE TABLE `services` (
  `created_at` datetime DEFAULT NULL,
  `updated_at` datetime DEFAULT NULL,
  `deleted_at` datetime DEFAULT NULL,
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `host` varchar(255) DEFAULT NULL,
  `binary` varchar(255) DEFAULT NULL,
  `topic` varchar(255) DEFAULT NULL,
  `report_count` int(11) NOT NULL,
  `disabled` tinyint(1) DEFAULT NULL,
  `deleted` int(11) DEFAULT NULL,
  `disabled_reason` varchar(255) DEFAULT NULL,
  `last_seen_up` datetime DEFAULT NULL,
  `forced_down` tinyint(1) DEFAULT NULL,
  `version` int(11) DEFAULT NULL,
  `uuid` varchar(36) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uniq_services0host0topic0deleted` (`host`,`topic`,`deleted`),
  UNIQUE KEY `uniq_services0host0binary0deleted` (`host`,`binary`,`deleted`),
  UNIQUE KEY `services_uuid_idx` (`uuid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
INSERT INTO `services` (`created_at`, `updated_at`, `deleted_at`, `id`, `host`, `binary`, `topic`, `report_count`, `disabled`, `deleted`, `disabled_reason`, `last_seen_up`, `forced_down`, `version`, `uuid`) VALUES ('2026-11-23 12:57:38','2026-11-23 12:57:38','2026-11-23 12:58:43',1,'cmp0','nova-compute','compute',1,0,1,NULL,'2026-11-23 12:57:38',0,64,'6b01e964-0b71-4437-8ce3-077552d8f847');
INSERT INTO `services` (`created_at`, `updated_at`, `deleted_at`, `id`, `host`, `binary`, `topic`, `report_count`, `disabled`, `deleted`, `disabled_reason`, `last_seen_up`, `forced_down`, `version`, `uuid`) VALUES ('2026-11-23 12:57:52','2026-11-23 12:57:52',NULL,2,'cmp1','nova-compute','compute',1,0,0,NULL,'2026-11-23 12:57:52',0,64,'63d3102e-6246-41f7-b9e0-91c306cfed6e');
INSERT INTO `services` (`created_at`, `updated_at`, `deleted_at`, `id`, `host`, `binary`, `topic`, `report_count`, `disabled`, `deleted`, `disabled_reason`, `last_seen_up`, `forced_down`, `version`, `uuid`) VALUES ('2026-11-23 12:58:10','2026-11-23 12:58:10',NULL,3,'cmp2','nova-compute','compute',1,0,0,NULL,'2026-11-23 12:58:10',0,64,'0afcc061-c0a8-4ce0-959f-47250bd05533');
INSERT INTO `services` (`created_at`, `updated_at`, `deleted_at`, `id`, `host`, `binary`, `topic`, `report_count`, `disabled`, `deleted`, `disabled_reason`, `last_seen_up`, `forced_down`, `version`, `uuid`) VALUES ('2026-11-23 12:58:27','2026-11-23 12:58:43',NULL,4,'cmp3','nova-compute','compute',1,1,0,'planned: firmware','2026-11-23 12:58:27',0,64,'b026f3c8-fda5-424b-bcec-014fb527a731');
CREATE TABLE `compute_nodes` (
  `created_at` datetime DEFAULT NULL,
  `updated_at` datetime DEFAULT NULL,
  `deleted_at` datetime DEFAULT NULL,
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `service_id` int(11) DEFAULT NULL,
  `vcpus` int(11) NOT NULL,
  `memory_mb` int(11) NOT NULL,
  `local_gb` int(11) NOT NULL,
  `vcpus_used` int(11) NOT NULL,
  `memory_mb_used` int(11) NOT NULL,
  `local_gb_used` int(11) NOT NULL,
  `hypervisor_type` mediumtext NOT NULL,
  `hypervisor_version` int(11) NOT NULL,
  `cpu_info` mediumtext NOT NULL,
  `disk_available_least` int(11) DEFAULT NULL,
  `free_ram_mb` int(11) DEFAULT NULL,
  `free_disk_gb` int(11) DEFAULT NULL,
  `current_workload` int(11) DEFAULT NULL,
  `running_vms` int(11) DEFAULT NULL,
  `hypervisor_hostname` varchar(255) DEFAULT NULL,
  `deleted` int(11) DEFAULT NULL,
  `host_ip` varchar(39) DEFAULT NULL,
  `supported_instances` text DEFAULT NULL,
  `pci_stats` text DEFAULT NULL,
  `metrics` text DEFAULT NULL,
  `extra_resources` text DEFAULT NULL,
  `stats` text DEFAULT NULL,
  `numa_topology` text DEFAULT NULL,
  `host` varchar(255) DEFAULT NULL,
  `ram_allocation_ratio` float DEFAULT NULL,
  `cpu_allocation_ratio` float DEFAULT NULL,
  `uuid` varchar(36) DEFAULT NULL,
  `disk_allocation_ratio` float DEFAULT NULL,
  `mapped` int(11) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uniq_compute_nodes0host0hypervisor_hostname0deleted` (`host`,`hypervisor_hostname`,`deleted`),
  UNIQUE KEY `compute_nodes_uuid_idx` (`uuid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
INSERT INTO `compute_nodes` (`created_at`, `updated_at`, `deleted_at`, `id`, `service_id`, `vcpus`, `memory_mb`, `local_gb`, `vcpus_used`, `memory_mb_used`, `local_gb_used`, `hypervisor_type`, `hypervisor_version`, `cpu_info`, `disk_available_least`, `free_ram_mb`, `free_disk_gb`, `current_workload`, `running_vms`, `hypervisor_hostname`, `deleted`, `host_ip`, `supported_instances`, `pci_stats`, `metrics`, `extra_resources`, `stats`, `numa_topology`, `host`, `ram_allocation_ratio`, `cpu_allocation_ratio`, `uuid`, `disk_allocation_ratio`, `mapped`) VALUES ('2026-11-23 12:57:40','2026-11-23 12:58:38','2026-11-23 12:58:43',1,NULL,2,8192,1028,0,512,0,'fake',1000,'{\"arch\": \"x86_64\", \"model\": \"Nehalem\", \"vendor\": \"Intel\", \"features\": [\"pge\", \"clflush\"], \"topology\": {\"cores\": 1, \"threads\": 1, \"sockets\": 4}}',0,7680,1028,0,0,'cmp0',1,'192.0.2.10','[[\"x86_64\", \"fake\", \"hvm\"]]','{\"nova_object.name\": \"PciDevicePoolList\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.1\", \"nova_object.data\": {\"objects\": []}, \"nova_object.changes\": [\"objects\"]}','[]',NULL,'{\"failed_builds\": \"0\"}',NULL,'cmp0',1.5,16,'5310a57a-424b-4963-9411-0c24685e2ee1',1,1);
INSERT INTO `compute_nodes` (`created_at`, `updated_at`, `deleted_at`, `id`, `service_id`, `vcpus`, `memory_mb`, `local_gb`, `vcpus_used`, `memory_mb_used`, `local_gb_used`, `hypervisor_type`, `hypervisor_version`, `cpu_info`, `disk_available_least`, `free_ram_mb`, `free_disk_gb`, `current_workload`, `running_vms`, `hypervisor_hostname`, `deleted`, `host_ip`, `supported_instances`, `pci_stats`, `metrics`, `extra_resources`, `stats`, `numa_topology`, `host`, `ram_allocation_ratio`, `cpu_allocation_ratio`, `uuid`, `disk_allocation_ratio`, `mapped`) VALUES ('2026-11-23 12:57:52','2026-11-23 12:58:38',NULL,2,NULL,4,16384,900,2,2560,20,'QEMU',4002000,'{\"arch\": \"x86_64\", \"model\": \"Penryn\", \"vendor\": \"Intel\", \"topology\": {\"cells\": 2, \"sockets\": 1, \"cores\": 2, \"threads\": 2}, \"features\": [\"vmx\", \"monitor\", \"vme\", \"aes\", \"xtpr\", \"acpi\", \"tm2\", \"est\", \"pbe\", \"ds\", \"tm\", \"ss\", \"ht\", \"ds_cpl\"]}',888,13824,880,0,1,'cmp1',0,'192.0.2.11','[[\"i686\", \"qemu\", \"hvm\"], [\"i686\", \"kvm\", \"hvm\"], [\"x86_64\", \"qemu\", \"hvm\"], [\"x86_64\", \"kvm\", \"hvm\"], [\"aarch64\", \"qemu\", \"hvm\"], [\"armv7l\", \"qemu\", \"hvm\"], [\"mips\", \"qemu\", \"hvm\"], [\"mipsel\", \"qemu\", \"hvm\"], [\"sparc\", \"qemu\", \"hvm\"], [\"ppc\", \"qemu\", \"hvm\"]]','{\"nova_object.name\": \"PciDevicePoolList\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.1\", \"nova_object.data\": {\"objects\": [{\"nova_object.name\": \"PciDevicePool\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.1\", \"nova_object.data\": {\"product_id\": \"1533\", \"vendor_id\": \"8086\", \"numa_node\": 0, \"tags\": {\"dev_type\": \"type-PCI\"}, \"count\": 1}, \"nova_object.changes\": [\"count\", \"numa_node\", \"tags\", \"vendor_id\", \"product_id\"]}, {\"nova_object.name\": \"PciDevicePool\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.1\", \"nova_object.data\": {\"product_id\": \"1515\", \"vendor_id\": \"8086\", \"numa_node\": 0, \"tags\": {\"dev_type\": \"type-VF\", \"physical_network\": \"physnet1\", \"remote_managed\": \"false\"}, \"count\": 3}, \"nova_object.changes\": [\"count\", \"numa_node\", \"tags\", \"vendor_id\", \"product_id\"]}]}, \"nova_object.changes\": [\"objects\"]}','[{\"name\": \"cpu.frequency\", \"timestamp\": \"2026-11-23T12:57:53.199612\", \"source\": \"libvirt.LibvirtDriver\", \"value\": 2600}, {\"name\": \"cpu.iowait.percent\", \"timestamp\": \"2026-11-23T12:57:53.199612\", \"source\": \"libvirt.LibvirtDriver\", \"value\": 0.02}, {\"name\": \"cpu.kernel.percent\", \"timestamp\": \"2026-11-23T12:57:53.199612\", \"source\": \"libvirt.LibvirtDriver\", \"value\": 0.28}, {\"name\": \"cpu.kernel.time\", \"timestamp\": \"2026-11-23T12:57:53.199612\", \"source\": \"libvirt.LibvirtDriver\", \"value\": 58000000000}, {\"name\": \"cpu.user.time\", \"timestamp\": \"2026-11-23T12:57:53.199612\", \"source\": \"libvirt.LibvirtDriver\", \"value\": 22000000000}, {\"name\": \"cpu.idle.time\", \"timestamp\": \"2026-11-23T12:57:53.199612\", \"source\": \"libvirt.LibvirtDriver\", \"value\": 116000000000}, {\"name\": \"cpu.user.percent\", \"timestamp\": \"2026-11-23T12:57:53.199612\", \"source\": \"libvirt.LibvirtDriver\", \"value\": 0.11}, {\"name\": \"cpu.iowait.time\", \"timestamp\": \"2026-11-23T12:57:53.199612\", \"source\": \"libvirt.LibvirtDriver\", \"value\": 4000000000}, {\"name\": \"cpu.percent\", \"timestamp\": \"2026-11-23T12:57:53.199612\", \"source\": \"libvirt.LibvirtDriver\", \"value\": 0.42}, {\"name\": \"cpu.idle.percent\", \"timestamp\": \"2026-11-23T12:57:53.199612\", \"source\": \"libvirt.LibvirtDriver\", \"value\": 0.57}]',NULL,'{\"failed_builds\": \"0\", \"num_instances\": \"1\", \"num_vm_active\": \"1\", \"num_task_None\": \"1\", \"num_os_type_None\": \"1\", \"num_proj_b9a0bb0d8a3e4dd6a1c7f1e2d3c4b5a6\": \"1\", \"io_workload\": \"0\"}','{\"nova_object.name\": \"NUMATopology\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.2\", \"nova_object.data\": {\"cells\": [{\"nova_object.name\": \"NUMACell\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.5\", \"nova_object.data\": {\"id\": 0, \"cpuset\": [0, 1], \"pcpuset\": [2, 3], \"memory\": 8192, \"cpu_usage\": 0, \"memory_usage\": 2048, \"pinned_cpus\": [2, 3], \"siblings\": [[0, 1], [2, 3]], \"mempages\": [{\"nova_object.name\": \"NUMAPagesTopology\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.1\", \"nova_object.data\": {\"size_kb\": 4, \"total\": 1048576, \"used\": 0, \"reserved\": 0}, \"nova_object.changes\": [\"reserved\", \"used\", \"total\", \"size_kb\"]}, {\"nova_object.name\": \"NUMAPagesTopology\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.1\", \"nova_object.data\": {\"size_kb\": 2048, \"total\": 2048, \"used\": 1024, \"reserved\": 64}, \"nova_object.changes\": [\"reserved\", \"used\", \"total\", \"size_kb\"]}], \"network_metadata\": {\"nova_object.name\": \"NetworkMetadata\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.0\", \"nova_object.data\": {\"physnets\": [\"physnet1\"], \"tunneled\": false}, \"nova_object.changes\": [\"tunneled\", \"physnets\"]}, \"socket\": 0}, \"nova_object.changes\": [\"memory_usage\", \"pcpuset\", \"cpu_usage\", \"cpuset\", \"network_metadata\", \"memory\", \"siblings\", \"mempages\", \"id\", \"socket\", \"pinned_cpus\"]}, {\"nova_object.name\": \"NUMACell\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.5\", \"nova_object.data\": {\"id\": 1, \"cpuset\": [4, 5], \"pcpuset\": [6, 7], \"memory\": 8192, \"cpu_usage\": 0, \"memory_usage\": 0, \"pinned_cpus\": [], \"siblings\": [[6, 7], [4, 5]], \"mempages\": [{\"nova_object.name\": \"NUMAPagesTopology\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.1\", \"nova_object.data\": {\"size_kb\": 4, \"total\": 1048576, \"used\": 0, \"reserved\": 0}, \"nova_object.changes\": [\"reserved\", \"used\", \"total\", \"size_kb\"]}, {\"nova_object.name\": \"NUMAPagesTopology\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.1\", \"nova_object.data\": {\"size_kb\": 2048, \"total\": 2048, \"used\": 0, \"reserved\": 0}, \"nova_object.changes\": [\"reserved\", \"used\", \"total\", \"size_kb\"]}], \"network_metadata\": {\"nova_object.name\": \"NetworkMetadata\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.0\", \"nova_object.data\": {\"physnets\": [], \"tunneled\": true}, \"nova_object.changes\": [\"tunneled\", \"physnets\"]}, \"socket\": 0}, \"nova_object.changes\": [\"memory_usage\", \"pcpuset\", \"cpu_usage\", \"cpuset\", \"network_metadata\", \"memory\", \"siblings\", \"mempages\", \"id\", \"socket\", \"pinned_cpus\"]}]}, \"nova_object.changes\": [\"cells\"]}','cmp1',1.5,16,'4fc5ad45-5db4-483a-8f26-56feba4c7dcf',1,1);
INSERT INTO `compute_nodes` (`created_at`, `updated_at`, `deleted_at`, `id`, `service_id`, `vcpus`, `memory_mb`, `local_gb`, `vcpus_used`, `memory_mb_used`, `local_gb_used`, `hypervisor_type`, `hypervisor_version`, `cpu_info`, `disk_available_least`, `free_ram_mb`, `free_disk_gb`, `current_workload`, `running_vms`, `hypervisor_hostname`, `deleted`, `host_ip`, `supported_instances`, `pci_stats`, `metrics`, `extra_resources`, `stats`, `numa_topology`, `host`, `ram_allocation_ratio`, `cpu_allocation_ratio`, `uuid`, `disk_allocation_ratio`, `mapped`) VALUES ('2026-11-23 12:58:12','2026-11-23 12:58:38',NULL,3,NULL,8,32768,900,1,1024,5,'QEMU',4002000,'{\"arch\": \"x86_64\", \"model\": \"Penryn\", \"vendor\": \"Intel\", \"topology\": {\"cells\": 1, \"sockets\": 1, \"cores\": 4, \"threads\": 2}, \"features\": [\"ht\", \"ss\", \"monitor\", \"pbe\", \"tm\", \"aes\", \"xtpr\", \"ds_cpl\", \"tm2\", \"est\", \"vme\", \"ds\", \"acpi\", \"vmx\"]}',888,31744,895,0,1,'cmp2',0,'192.0.2.12','[[\"i686\", \"qemu\", \"hvm\"], [\"i686\", \"kvm\", \"hvm\"], [\"x86_64\", \"qemu\", \"hvm\"], [\"x86_64\", \"kvm\", \"hvm\"], [\"aarch64\", \"qemu\", \"hvm\"], [\"armv7l\", \"qemu\", \"hvm\"], [\"mips\", \"qemu\", \"hvm\"], [\"mipsel\", \"qemu\", \"hvm\"], [\"sparc\", \"qemu\", \"hvm\"], [\"ppc\", \"qemu\", \"hvm\"]]','{\"nova_object.name\": \"PciDevicePoolList\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.1\", \"nova_object.data\": {\"objects\": []}, \"nova_object.changes\": [\"objects\"]}','[]',NULL,'{\"failed_builds\": \"0\", \"num_instances\": \"1\", \"num_vm_active\": \"1\", \"num_task_None\": \"1\", \"num_os_type_None\": \"1\", \"num_proj_b9a0bb0d8a3e4dd6a1c7f1e2d3c4b5a6\": \"1\", \"io_workload\": \"0\"}','{\"nova_object.name\": \"NUMATopology\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.2\", \"nova_object.data\": {\"cells\": [{\"nova_object.name\": \"NUMACell\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.5\", \"nova_object.data\": {\"id\": 0, \"cpuset\": [0, 1, 2, 3, 4, 5, 6, 7], \"pcpuset\": [0, 1, 2, 3, 4, 5, 6, 7], \"memory\": 32768, \"cpu_usage\": 0, \"memory_usage\": 0, \"pinned_cpus\": [], \"siblings\": [[0, 1], [6, 7], [4, 5], [2, 3]], \"mempages\": [{\"nova_object.name\": \"NUMAPagesTopology\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.1\", \"nova_object.data\": {\"size_kb\": 4, \"total\": 8388608, \"used\": 0, \"reserved\": 0}, \"nova_object.changes\": [\"size_kb\", \"total\", \"used\", \"reserved\"]}], \"network_metadata\": {\"nova_object.name\": \"NetworkMetadata\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.0\", \"nova_object.data\": {\"physnets\": [], \"tunneled\": false}, \"nova_object.changes\": [\"physnets\", \"tunneled\"]}, \"socket\": 0}, \"nova_object.changes\": [\"network_metadata\", \"siblings\", \"id\", \"socket\", \"memory\", \"mempages\", \"cpuset\", \"cpu_usage\", \"pinned_cpus\", \"pcpuset\", \"memory_usage\"]}]}, \"nova_object.changes\": [\"cells\"]}','cmp2',1.5,16,'e931a480-e68a-44c1-8476-d18915013dbb',1,1);
INSERT INTO `compute_nodes` (`created_at`, `updated_at`, `deleted_at`, `id`, `service_id`, `vcpus`, `memory_mb`, `local_gb`, `vcpus_used`, `memory_mb_used`, `local_gb_used`, `hypervisor_type`, `hypervisor_version`, `cpu_info`, `disk_available_least`, `free_ram_mb`, `free_disk_gb`, `current_workload`, `running_vms`, `hypervisor_hostname`, `deleted`, `host_ip`, `supported_instances`, `pci_stats`, `metrics`, `extra_resources`, `stats`, `numa_topology`, `host`, `ram_allocation_ratio`, `cpu_allocation_ratio`, `uuid`, `disk_allocation_ratio`, `mapped`) VALUES ('2026-11-23 12:58:28','2026-11-23 12:58:38',NULL,4,NULL,2,8192,1028,0,512,0,'fake',1000,'{\"arch\": \"x86_64\", \"model\": \"Nehalem\", \"vendor\": \"Intel\", \"features\": [\"pge\", \"clflush\"], \"topology\": {\"cores\": 1, \"threads\": 1, \"sockets\": 4}}',0,7680,1028,0,0,'cmp3',0,'192.0.2.13','[[\"x86_64\", \"fake\", \"hvm\"]]','{\"nova_object.name\": \"PciDevicePoolList\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.1\", \"nova_object.data\": {\"objects\": []}, \"nova_object.changes\": [\"objects\"]}','[]',NULL,'{\"failed_builds\": \"0\"}',NULL,'cmp3',1.5,16,'67deb127-b9c8-4b28-9ee2-375106101b3a',1,1);
CREATE TABLE `instances` (
  `created_at` datetime DEFAULT NULL,
  `updated_at` datetime DEFAULT NULL,
  `deleted_at` datetime DEFAULT NULL,
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `internal_id` int(11) DEFAULT NULL,
  `user_id` varchar(255) DEFAULT NULL,
  `project_id` varchar(255) DEFAULT NULL,
  `image_ref` varchar(255) DEFAULT NULL,
  `kernel_id` varchar(255) DEFAULT NULL,
  `ramdisk_id` varchar(255) DEFAULT NULL,
  `launch_index` int(11) DEFAULT NULL,
  `key_name` varchar(255) DEFAULT NULL,
  `key_data` mediumtext DEFAULT NULL,
  `power_state` int(11) DEFAULT NULL,
  `vm_state` varchar(255) DEFAULT NULL,
  `memory_mb` int(11) DEFAULT NULL,
  `vcpus` int(11) DEFAULT NULL,
  `hostname` varchar(255) DEFAULT NULL,
  `host` varchar(255) DEFAULT NULL,
  `user_data` mediumtext DEFAULT NULL,
  `reservation_id` varchar(255) DEFAULT NULL,
  `launched_at` datetime DEFAULT NULL,
  `terminated_at` datetime DEFAULT NULL,
  `display_name` varchar(255) DEFAULT NULL,
  `display_description` varchar(255) DEFAULT NULL,
  `availability_zone` varchar(255) DEFAULT NULL,
  `locked` tinyint(1) DEFAULT NULL,
  `os_type` varchar(255) DEFAULT NULL,
  `launched_on` mediumtext DEFAULT NULL,
  `instance_type_id` int(11) DEFAULT NULL,
  `vm_mode` varchar(255) DEFAULT NULL,
  `uuid` varchar(36) NOT NULL,
  `architecture` varchar(255) DEFAULT NULL,
  `root_device_name` varchar(255) DEFAULT NULL,
  `access_ip_v4` varchar(39) DEFAULT NULL,
  `access_ip_v6` varchar(39) DEFAULT NULL,
  `config_drive` varchar(255) DEFAULT NULL,
  `task_state` varchar(255) DEFAULT NULL,
  `default_ephemeral_device` varchar(255) DEFAULT NULL,
  `default_swap_device` varchar(255) DEFAULT NULL,
  `progress` int(11) DEFAULT NULL,
  `auto_disk_config` tinyint(1) DEFAULT NULL,
  `shutdown_terminate` tinyint(1) DEFAULT NULL,
  `disable_terminate` tinyint(1) DEFAULT NULL,
  `root_gb` int(11) DEFAULT NULL,
  `ephemeral_gb` int(11) DEFAULT NULL,
  `cell_name` varchar(255) DEFAULT NULL,
  `node` varchar(255) DEFAULT NULL,
  `deleted` int(11) DEFAULT NULL,
  `locked_by` enum('owner','admin') DEFAULT NULL,
  `cleaned` int(11) DEFAULT NULL,
  `ephemeral_key_uuid` varchar(36) DEFAULT NULL,
  `hidden` tinyint(1) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uniq_instances0uuid` (`uuid`),
  UNIQUE KEY `uuid` (`uuid`),
  KEY `instances_task_state_updated_at_idx` (`task_state`,`updated_at`),
  KEY `instances_host_deleted_cleaned_idx` (`host`,`deleted`,`cleaned`),
  KEY `instances_updated_at_project_id_idx` (`updated_at`,`project_id`),
  KEY `instances_project_id_idx` (`project_id`),
  KEY `instances_project_id_deleted_idx` (`project_id`,`deleted`),
  KEY `instances_terminated_at_launched_at_idx` (`terminated_at`,`launched_at`),
  KEY `instances_deleted_created_at_idx` (`deleted`,`created_at`),
  KEY `instances_reservation_id_idx` (`reservation_id`),
  KEY `instances_uuid_deleted_idx` (`uuid`,`deleted`),
  KEY `instances_host_node_deleted_idx` (`host`,`node`,`deleted`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
INSERT INTO `instances` (`created_at`, `updated_at`, `deleted_at`, `id`, `internal_id`, `user_id`, `project_id`, `image_ref`, `kernel_id`, `ramdisk_id`, `launch_index`, `key_name`, `key_data`, `power_state`, `vm_state`, `memory_mb`, `vcpus`, `hostname`, `host`, `user_data`, `reservation_id`, `launched_at`, `terminated_at`, `display_name`, `display_description`, `availability_zone`, `locked`, `os_type`, `launched_on`, `instance_type_id`, `vm_mode`, `uuid`, `architecture`, `root_device_name`, `access_ip_v4`, `access_ip_v6`, `config_drive`, `task_state`, `default_ephemeral_device`, `default_swap_device`, `progress`, `auto_disk_config`, `shutdown_terminate`, `disable_terminate`, `root_gb`, `ephemeral_gb`, `cell_name`, `node`, `deleted`, `locked_by`, `cleaned`, `ephemeral_key_uuid`, `hidden`) VALUES ('2026-11-23 12:57:53','2026-11-23 12:57:53',NULL,1,NULL,'5b2a0c8c9e6d4f0c8f4a1f7b0a3d9e11','b9a0bb0d8a3e4dd6a1c7f1e2d3c4b5a6','155d900f-4e14-4e4c-a73d-069cbf4541e6',NULL,NULL,0,NULL,NULL,1,'active',2048,2,'vm-1a6d','cmp1',NULL,'r-1a6d2a4b','2026-11-23 12:57:53',NULL,'vm-1a6d',NULL,'az1',0,NULL,'cmp1',11,NULL,'1a6d2a4b-7c1f-4b0e-9f5d-0c3e5a7b9d01',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,0,0,20,0,NULL,'cmp1',0,NULL,0,NULL,0);
INSERT INTO `instances` (`created_at`, `updated_at`, `deleted_at`, `id`, `internal_id`, `user_id`, `project_id`, `image_ref`, `kernel_id`, `ramdisk_id`, `launch_index`, `key_name`, `key_data`, `power_state`, `vm_state`, `memory_mb`, `vcpus`, `hostname`, `host`, `user_data`, `reservation_id`, `launched_at`, `terminated_at`, `display_name`, `display_description`, `availability_zone`, `locked`, `os_type`, `launched_on`, `instance_type_id`, `vm_mode`, `uuid`, `architecture`, `root_device_name`, `access_ip_v4`, `access_ip_v6`, `config_drive`, `task_state`, `default_ephemeral_device`, `default_swap_device`, `progress`, `auto_disk_config`, `shutdown_terminate`, `disable_terminate`, `root_gb`, `ephemeral_gb`, `cell_name`, `node`, `deleted`, `locked_by`, `cleaned`, `ephemeral_key_uuid`, `hidden`) VALUES ('2026-11-23 12:58:12','2026-11-23 12:58:12',NULL,2,NULL,'5b2a0c8c9e6d4f0c8f4a1f7b0a3d9e11','b9a0bb0d8a3e4dd6a1c7f1e2d3c4b5a6','155d900f-4e14-4e4c-a73d-069cbf4541e6',NULL,NULL,0,NULL,NULL,1,'active',512,1,'vm-2b7e','cmp2',NULL,'r-2b7e3b5c','2026-11-23 12:58:12',NULL,'vm-2b7e',NULL,'az1',0,NULL,'cmp2',12,NULL,'2b7e3b5c-8d20-4c1f-8a6e-1d4f6b8cae02',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,0,0,5,0,NULL,'cmp2',0,NULL,0,NULL,0);
INSERT INTO `instances` (`created_at`, `updated_at`, `deleted_at`, `id`, `internal_id`, `user_id`, `project_id`, `image_ref`, `kernel_id`, `ramdisk_id`, `launch_index`, `key_name`, `key_data`, `power_state`, `vm_state`, `memory_mb`, `vcpus`, `hostname`, `host`, `user_data`, `reservation_id`, `launched_at`, `terminated_at`, `display_name`, `display_description`, `availability_zone`, `locked`, `os_type`, `launched_on`, `instance_type_id`, `vm_mode`, `uuid`, `architecture`, `root_device_name`, `access_ip_v4`, `access_ip_v6`, `config_drive`, `task_state`, `default_ephemeral_device`, `default_swap_device`, `progress`, `auto_disk_config`, `shutdown_terminate`, `disable_terminate`, `root_gb`, `ephemeral_gb`, `cell_name`, `node`, `deleted`, `locked_by`, `cleaned`, `ephemeral_key_uuid`, `hidden`) VALUES ('2026-11-23 12:58:12','2026-11-23 12:58:12','2026-11-23 12:58:12',3,NULL,'5b2a0c8c9e6d4f0c8f4a1f7b0a3d9e11','b9a0bb0d8a3e4dd6a1c7f1e2d3c4b5a6','155d900f-4e14-4e4c-a73d-069cbf4541e6',NULL,NULL,0,NULL,NULL,1,'deleted',512,1,'vm-3c8f','cmp2',NULL,'r-3c8f4c6d','2026-11-23 12:58:12',NULL,'vm-3c8f',NULL,'az1',0,NULL,'cmp2',12,NULL,'3c8f4c6d-9e31-4d2a-9b7f-2e5a7c9dbf03',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,0,0,5,0,NULL,'cmp2',3,NULL,0,NULL,0);
CREATE TABLE `instance_extra` (
  `created_at` datetime DEFAULT NULL,
  `updated_at` datetime DEFAULT NULL,
  `deleted_at` datetime DEFAULT NULL,
  `deleted` int(11) DEFAULT NULL,
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `instance_uuid` varchar(36) NOT NULL,
  `numa_topology` text DEFAULT NULL,
  `pci_requests` text DEFAULT NULL,
  `flavor` text DEFAULT NULL,
  `vcpu_model` text DEFAULT NULL,
  `migration_context` text DEFAULT NULL,
  `keypairs` text DEFAULT NULL,
  `device_metadata` text DEFAULT NULL,
  `trusted_certs` text DEFAULT NULL,
  `vpmems` text DEFAULT NULL,
  `resources` text DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `instance_extra_idx` (`instance_uuid`),
  CONSTRAINT `instance_extra_instance_uuid_fkey` FOREIGN KEY (`instance_uuid`) REFERENCES `instances` (`uuid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
INSERT INTO `instance_extra` (`created_at`, `updated_at`, `deleted_at`, `deleted`, `id`, `instance_uuid`, `numa_topology`, `pci_requests`, `flavor`, `vcpu_model`, `migration_context`, `keypairs`, `device_metadata`, `trusted_certs`, `vpmems`, `resources`) VALUES ('2026-11-23 12:57:53','2026-11-23 12:57:53',NULL,0,1,'1a6d2a4b-7c1f-4b0e-9f5d-0c3e5a7b9d01','{\"nova_object.name\": \"InstanceNUMATopology\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.3\", \"nova_object.data\": {\"cells\": [{\"nova_object.name\": \"InstanceNUMACell\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.6\", \"nova_object.data\": {\"id\": 0, \"cpuset\": [], \"pcpuset\": [0, 1], \"cpuset_reserved\": null, \"memory\": 2048, \"pagesize\": 2048, \"cpu_pinning_raw\": {\"0\": 2, \"1\": 3}, \"cpu_policy\": \"dedicated\", \"cpu_thread_policy\": null}, \"nova_object.changes\": [\"cpu_thread_policy\", \"pcpuset\", \"cpu_pinning_raw\", \"cpuset_reserved\", \"cpuset\", \"cpu_policy\", \"memory\", \"pagesize\", \"id\"]}], \"emulator_threads_policy\": null}, \"nova_object.changes\": [\"cells\", \"emulator_threads_policy\"]}','[{\"count\": 1, \"spec\": [{\"vendor_id\": \"8086\", \"product_id\": \"1515\", \"dev_type\": \"type-VF\"}], \"alias_name\": \"nic-vf\", \"is_new\": false, \"numa_policy\": \"preferred\", \"request_id\": \"dec12992-ccd0-40b4-b4c4-76017a3065b4\", \"requester_id\": null}]','{\"cur\": {\"nova_object.name\": \"Flavor\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.2\", \"nova_object.data\": {\"id\": 11, \"name\": \"pinned.2\", \"memory_mb\": 2048, \"vcpus\": 2, \"root_gb\": 20, \"ephemeral_gb\": 0, \"flavorid\": \"11\", \"swap\": 0, \"rxtx_factor\": 1.0, \"vcpu_weight\": 0, \"disabled\": false, \"is_public\": true, \"extra_specs\": {\"hw:cpu_policy\": \"dedicated\", \"hw:mem_page_size\": \"2048\", \"pci_passthrough:alias\": \"nic-vf:1\"}, \"projects\": [], \"description\": null}, \"nova_object.changes\": [\"vcpus\", \"memory_mb\", \"extra_specs\", \"ephemeral_gb\", \"root_gb\", \"name\", \"flavorid\", \"projects\", \"swap\", \"is_public\", \"id\", \"rxtx_factor\", \"vcpu_weight\", \"description\", \"disabled\"]}, \"old\": null, \"new\": null}',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO `instance_extra` (`created_at`, `updated_at`, `deleted_at`, `deleted`, `id`, `instance_uuid`, `numa_topology`, `pci_requests`, `flavor`, `vcpu_model`, `migration_context`, `keypairs`, `device_metadata`, `trusted_certs`, `vpmems`, `resources`) VALUES ('2026-11-23 12:58:12','2026-11-23 12:58:12',NULL,0,2,'2b7e3b5c-8d20-4c1f-8a6e-1d4f6b8cae02',NULL,'[]','{\"cur\": {\"nova_object.name\": \"Flavor\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.2\", \"nova_object.data\": {\"id\": 12, \"name\": \"small.1\", \"memory_mb\": 512, \"vcpus\": 1, \"root_gb\": 5, \"ephemeral_gb\": 0, \"flavorid\": \"12\", \"swap\": 0, \"rxtx_factor\": 1.0, \"vcpu_weight\": 0, \"disabled\": false, \"is_public\": true, \"extra_specs\": {}, \"projects\": [], \"description\": null}, \"nova_object.changes\": [\"rxtx_factor\", \"id\", \"name\", \"description\", \"projects\", \"flavorid\", \"disabled\", \"ephemeral_gb\", \"is_public\", \"memory_mb\", \"vcpu_weight\", \"swap\", \"extra_specs\", \"root_gb\", \"vcpus\"]}, \"old\": null, \"new\": null}',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO `instance_extra` (`created_at`, `updated_at`, `deleted_at`, `deleted`, `id`, `instance_uuid`, `numa_topology`, `pci_requests`, `flavor`, `vcpu_model`, `migration_context`, `keypairs`, `device_metadata`, `trusted_certs`, `vpmems`, `resources`) VALUES ('2026-11-23 12:58:12','2026-11-23 12:58:12','2026-11-23 12:58:12',3,3,'3c8f4c6d-9e31-4d2a-9b7f-2e5a7c9dbf03',NULL,'[]','{\"cur\": {\"nova_object.name\": \"Flavor\", \"nova_object.namespace\": \"nova\", \"nova_object.version\": \"1.2\", \"nova_object.data\": {\"id\": 12, \"name\": \"small.1\", \"memory_mb\": 512, \"vcpus\": 1, \"root_gb\": 5, \"ephemeral_gb\": 0, \"flavorid\": \"12\", \"swap\": 0, \"rxtx_factor\": 1.0, \"vcpu_weight\": 0, \"disabled\": false, \"is_public\": true, \"extra_specs\": {}, \"projects\": [], \"description\": null}, \"nova_object.changes\": [\"rxtx_factor\", \"id\", \"name\", \"description\", \"projects\", \"flavorid\", \"disabled\", \"ephemeral_gb\", \"is_public\", \"memory_mb\", \"vcpu_weight\", \"swap\", \"extra_specs\", \"root_gb\", \"vcpus\"]}, \"old\": null, \"new\": null}',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE `instance_system_metadata` (
  `created_at` datetime DEFAULT NULL,
  `updated_at` datetime DEFAULT NULL,
  `deleted_at` datetime DEFAULT NULL,
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `instance_uuid` varchar(36) NOT NULL,
  `key` varchar(255) NOT NULL,
  `value` varchar(255) DEFAULT NULL,
  `deleted` int(11) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `instance_uuid` (`instance_uuid`),
  CONSTRAINT `instance_system_metadata_ibfk_1` FOREIGN KEY (`instance_uuid`) REFERENCES `instances` (`uuid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
INSERT INTO `instance_system_metadata` (`created_at`, `updated_at`, `deleted_at`, `id`, `instance_uuid`, `key`, `value`, `deleted`) VALUES ('2026-11-23 12:57:53',NULL,NULL,1,'1a6d2a4b-7c1f-4b0e-9f5d-0c3e5a7b9d01','image_hw_machine_type','q35',0);
INSERT INTO `instance_system_metadata` (`created_at`, `updated_at`, `deleted_at`, `id`, `instance_uuid`, `key`, `value`, `deleted`) VALUES ('2026-11-23 12:57:53',NULL,NULL,2,'1a6d2a4b-7c1f-4b0e-9f5d-0c3e5a7b9d01','image_base_image_ref','155d900f-4e14-4e4c-a73d-069cbf4541e6',0);
INSERT INTO `instance_system_metadata` (`created_at`, `updated_at`, `deleted_at`, `id`, `instance_uuid`, `key`, `value`, `deleted`) VALUES ('2026-11-23 12:57:53',NULL,NULL,3,'1a6d2a4b-7c1f-4b0e-9f5d-0c3e5a7b9d01','boot_roles','member,reader',0);
INSERT INTO `instance_system_metadata` (`created_at`, `updated_at`, `deleted_at`, `id`, `instance_uuid`, `key`, `value`, `deleted`) VALUES ('2026-11-23 12:58:12',NULL,NULL,4,'2b7e3b5c-8d20-4c1f-8a6e-1d4f6b8cae02','image_hw_machine_type','q35',0);
INSERT INTO `instance_system_metadata` (`created_at`, `updated_at`, `deleted_at`, `id`, `instance_uuid`, `key`, `value`, `deleted`) VALUES ('2026-11-23 12:58:12',NULL,NULL,5,'2b7e3b5c-8d20-4c1f-8a6e-1d4f6b8cae02','image_base_image_ref','155d900f-4e14-4e4c-a73d-069cbf4541e6',0);
INSERT INTO `instance_system_metadata` (`created_at`, `updated_at`, `deleted_at`, `id`, `instance_uuid`, `key`, `value`, `deleted`) VALUES ('2026-11-23 12:58:12',NULL,NULL,6,'2b7e3b5c-8d20-4c1f-8a6e-1d4f6b8cae02','boot_roles','member,reader',0);
INSERT INTO `instance_system_metadata` (`created_at`, `updated_at`, `deleted_at`, `id`, `instance_uuid`, `key`, `value`, `deleted`) VALUES ('2026-11-23 12:58:12',NULL,'2026-11-23 12:58:12',7,'3c8f4c6d-9e31-4d2a-9b7f-2e5a7c9dbf03','image_hw_machine_type','q35',7);
INSERT INTO `instance_system_metadata` (`created_at`, `updated_at`, `deleted_at`, `id`, `instance_uuid`, `key`, `value`, `deleted`) VALUES ('2026-11-23 12:58:12',NULL,'2026-11-23 12:58:12',8,'3c8f4c6d-9e31-4d2a-9b7f-2e5a7c9dbf03','image_base_image_ref','155d900f-4e14-4e4c-a73d-069cbf4541e6',8);
INSERT INTO `instance_system_metadata` (`created_at`, `updated_at`, `deleted_at`, `id`, `instance_uuid`, `key`, `value`, `deleted`) VALUES ('2026-11-23 12:58:12',NULL,'2026-11-23 12:58:12',9,'3c8f4c6d-9e31-4d2a-9b7f-2e5a7c9dbf03','boot_roles','member,reader',9);
CREATE TABLE `migrations` (
  `created_at` datetime DEFAULT NULL,
  `updated_at` datetime DEFAULT NULL,
  `deleted_at` datetime DEFAULT NULL,
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `source_compute` varchar(255) DEFAULT NULL,
  `dest_compute` varchar(255) DEFAULT NULL,
  `dest_host` varchar(255) DEFAULT NULL,
  `status` varchar(255) DEFAULT NULL,
  `instance_uuid` varchar(36) DEFAULT NULL,
  `old_instance_type_id` int(11) DEFAULT NULL,
  `new_instance_type_id` int(11) DEFAULT NULL,
  `source_node` varchar(255) DEFAULT NULL,
  `dest_node` varchar(255) DEFAULT NULL,
  `deleted` int(11) DEFAULT NULL,
  `migration_type` enum('migration','resize','live-migration','evacuation') DEFAULT NULL,
  `hidden` tinyint(1) DEFAULT NULL,
  `memory_total` bigint(20) DEFAULT NULL,
  `memory_processed` bigint(20) DEFAULT NULL,
  `memory_remaining` bigint(20) DEFAULT NULL,
  `disk_total` bigint(20) DEFAULT NULL,
  `disk_processed` bigint(20) DEFAULT NULL,
  `disk_remaining` bigint(20) DEFAULT NULL,
  `uuid` varchar(36) DEFAULT NULL,
  `cross_cell_move` tinyint(1) DEFAULT NULL,
  `user_id` varchar(255) DEFAULT NULL,
  `project_id` varchar(255) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `migrations_uuid` (`uuid`),
  KEY `fk_migrations_instance_uuid` (`instance_uuid`),
  KEY `migrations_updated_at_idx` (`updated_at`),
  KEY `migrations_instance_uuid_and_status_idx` (`deleted`,`instance_uuid`,`status`),
  KEY `migrations_by_host_nodes_and_status_idx` (`deleted`,`source_compute`(100),`dest_compute`(100),`source_node`(100),`dest_node`(100),`status`),
  CONSTRAINT `fk_migrations_instance_uuid` FOREIGN KEY (`instance_uuid`) REFERENCES `instances` (`uuid`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_general_ci;
SET FOREIGN_KEY_CHECKS = 1;
