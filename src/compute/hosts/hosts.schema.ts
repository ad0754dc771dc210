// Schema of a host's report, which is also its heartbeat. Every field is optional; an absent field means "not known".
import 'reflect-metadata';
import { IsBoolean, IsIn, IsNumber, Max, Min } from 'class-validator';
import { MAX_ALLOCATION_RATIO, MAX_INT } from '../../placement/domain/inventory';
import { HTTP_LIMITS } from '../../platform/config/limits/http';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { MatchesSchema } from '../../platform/http/dto-rules';
import { PAGE_SIZE_KIB_MAX } from '../../scheduling-rules/numa/page-size';
import { PCI_DEVICE_TYPES } from '../../scheduling-rules/pci/alias';
import { NUMA_CELLS_MAX } from '../../scheduling-rules/request-spec/numa-topology';
import type { PciDeviceType } from '../../scheduling-rules/request-spec/pci-pool';
import type { ScalarMap } from '../registry-schema';
import {
  IsCount,
  IsCpus,
  IsCpuSets,
  IsDocument,
  IsFilledText,
  IsFilledTexts,
  IsListOf,
  IsLongListOf,
  IsName,
  IsScalarMap,
  IsTags,
  IsText,
  IsTextOrObject,
  IsUuid,
  MayBeAbsent,
  MayBeNull,
  NullIsAbsent,
} from '../registry-schema';

/** A free amount can be negative, because a host can be overcommitted. */
const IsAmount = (): PropertyDecorator => IsCount(-MAX_INT, MAX_INT);
/** ISO 8601, or milliseconds since the epoch. */
const IsTime = (): PropertyDecorator =>
  MatchesSchema({
    type: ['string', 'integer'],
    format: 'time-like',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  });

const IsRatio = (): PropertyDecorator => (target, key) => {
  IsNumber()(target, key);
  Min(0)(target, key);
  Max(MAX_ALLOCATION_RATIO)(target, key);
};

class HypervisorDto {
  @MayBeNull() @IsText() readonly type?: string | null;
  @MayBeNull() @IsCount() readonly version?: number | null;
  @MayBeNull() @IsText() readonly hostname?: string | null;
  @MayBeNull() @IsTextOrObject() readonly cpu_info?: unknown;
}

class MetricDto {
  @IsName() readonly name!: string;
  @IsNumber() readonly value!: number;
  @MayBeNull() @IsText() readonly unit?: string | null;
  @MayBeNull() @IsTime() readonly measured_at?: string | number | null;
}

export class ReportedInstanceDto {
  @IsUuid() readonly uuid!: string;
  @MayBeNull() @IsText() readonly flavor?: string | null;
  @MayBeNull() @IsText() readonly project_id?: string | null;
  @MayBeNull() @IsText() readonly task_state?: string | null;
  @MayBeNull() @IsText() readonly vm_state?: string | null;
  @MayBeNull()
  @IsScalarMap({ valueMax: HTTP_LIMITS.documentTextCharacters })
  readonly image_properties?: ScalarMap | null;
}

/** Page counts can exceed the limit of other amounts. */
const PAGES_MAX = 2 ** 40;
const LIST_MAX = 4_096;

class MemoryPagesDto {
  @IsCount(1, PAGE_SIZE_KIB_MAX) readonly size_kb!: number;
  @IsCount(0, PAGES_MAX) readonly total!: number;
  @MayBeAbsent() @IsCount(0, PAGES_MAX) readonly used?: number;
  @MayBeAbsent() @IsCount(0, PAGES_MAX) readonly reserved?: number;
}

/** Memory is in MiB. */
export class HostNumaCellDto {
  @IsCount(0, MAX_INT) readonly id!: number;
  @MayBeNull() @IsCount(0, MAX_INT) readonly socket?: number | null;
  /** CPUs for shared use. */
  @MayBeNull() @IsCpus() readonly cpuset?: readonly number[] | null;
  /** CPUs for dedicated use. */
  @MayBeNull() @IsCpus() readonly pcpuset?: readonly number[] | null;
  @MayBeNull() @IsCpus() readonly pinned_cpus?: readonly number[] | null;
  /** Each inner list holds the hardware threads of one core. */
  @MayBeAbsent() @IsCpuSets() readonly siblings?: readonly (readonly number[])[];
  @IsCount(0, MAX_INT) readonly memory!: number;
  @MayBeAbsent() @IsCount(0, MAX_INT) readonly cpu_usage?: number;
  @MayBeAbsent() @IsCount(0, MAX_INT) readonly memory_usage?: number;
  @MayBeAbsent() @IsListOf(() => MemoryPagesDto, LIST_MAX) readonly mempages?: readonly MemoryPagesDto[];
  @MayBeAbsent() @IsFilledTexts(LIST_MAX) readonly physnets?: readonly string[];
  @MayBeAbsent() @IsBoolean() readonly tunneled?: boolean;
}

class HostNumaTopologyDto {
  @MayBeAbsent() @IsLongListOf(() => HostNumaCellDto, NUMA_CELLS_MAX) readonly cells?: readonly HostNumaCellDto[];
}

/** Free devices with equal attributes. */
export class PciPoolDto {
  @IsFilledText() readonly vendor_id!: string;
  @IsFilledText() readonly product_id!: string;
  @MayBeNull() @IsIn(PCI_DEVICE_TYPES) readonly dev_type?: PciDeviceType | null;
  @MayBeNull() @IsCount(0, MAX_INT) readonly numa_node?: number | null;
  @IsCount(0, MAX_INT) readonly count!: number;
  @MayBeNull() @IsTags() readonly tags?: ScalarMap | null;
}

const { reportEntries: maxItems } = SCHEDULER_LIMITS;
const SUPPORTED_INSTANCES = { type: 'array', maxItems, items: { type: 'array', items: { type: 'string' } } };

/** The body of PUT /scheduler/hosts/{host}/{node}. */
export class HostReportDto {
  @MayBeNull() @IsUuid() readonly uuid?: string | null;
  @MayBeNull() @IsName() readonly cell?: string | null;
  @MayBeNull() @IsCount(0, MAX_INT) readonly service_version?: number | null;

  @MayBeNull() @IsDocument(() => HypervisorDto) readonly hypervisor?: HypervisorDto | null;

  @MayBeNull() @IsText() readonly host_ip?: string | null;
  @MayBeNull() @IsCount(0, MAX_INT) readonly vcpus_total?: number | null;
  @MayBeNull() @IsCount(0, MAX_INT) readonly vcpus_used?: number | null;
  @MayBeNull() @IsCount(0, MAX_INT) readonly memory_mb?: number | null;
  @MayBeNull() @IsAmount() readonly free_ram_mb?: number | null;
  @MayBeNull() @IsCount(0, MAX_INT) readonly local_gb?: number | null;
  @MayBeNull() @IsAmount() readonly free_disk_gb?: number | null;
  @MayBeNull() @IsAmount() readonly disk_available_least?: number | null;
  @MayBeNull() @IsCount(0, MAX_INT) readonly local_gb_used?: number | null;
  @MayBeNull() @IsRatio() readonly cpu_allocation_ratio?: number | null;
  @MayBeNull() @IsRatio() readonly ram_allocation_ratio?: number | null;
  @MayBeNull() @IsRatio() readonly disk_allocation_ratio?: number | null;
  @MayBeNull() @MatchesSchema(SUPPORTED_INSTANCES) readonly supported_instances?: readonly (readonly string[])[] | null;
  @MayBeNull() @IsScalarMap({ valueMax: HTTP_LIMITS.documentTextCharacters }) readonly stats?: ScalarMap | null;

  @MayBeNull()
  @IsLongListOf(() => MetricDto, SCHEDULER_LIMITS.reportEntries)
  readonly metrics?: readonly MetricDto[] | null;

  @MayBeNull() @IsCount(0, MAX_INT) readonly failed_builds?: number | null;
  @MayBeNull() @IsCount(0, MAX_INT) readonly reserved_host_cpus?: number | null;
  @MayBeNull() @IsCount(0, MAX_INT) readonly reserved_host_memory_mb?: number | null;
  @MayBeNull() @IsCount(0, MAX_INT) readonly reserved_host_disk_mb?: number | null;

  @MayBeNull() @IsDocument(() => HostNumaTopologyDto) readonly numa_topology?: HostNumaTopologyDto | null;

  @MayBeNull()
  @IsLongListOf(() => PciPoolDto, LIST_MAX)
  readonly pci_device_pools?: readonly PciPoolDto[] | null;

  @MayBeNull()
  @IsLongListOf(() => ReportedInstanceDto, SCHEDULER_LIMITS.reportEntries)
  readonly instances?: readonly ReportedInstanceDto[] | null;

  @NullIsAbsent() @IsBoolean() readonly report_providers?: boolean;
}
