// The report of a host, its heartbeat. Everything is optional: what is not said is not known.
import 'reflect-metadata';
import { IsBoolean, IsNumber, Max, Min, ValidateBy } from 'class-validator';
import { SCHEDULER_LIMITS } from '../../../config/limits';
import { MAX_ALLOCATION_RATIO, MAX_INT } from '../../../domain/inventory';
import type { HostReportBody, ReportedInstanceBody } from '../../host-state/host-facts';
import {
  IsCount,
  IsDocument,
  IsListOf,
  IsListOfTexts,
  IsName,
  IsScalarMap,
  IsText,
  IsTextOrObject,
  IsUuid,
  MayBeNull,
  NullIsAbsent,
} from '../registry-schema';
import type { ScalarMap } from '../registry-schema';

/** Free amounts may be negative: a host can promise more than it has. */
const IsAmount = (): PropertyDecorator => IsCount(-MAX_INT, MAX_INT);
const PROPERTY_TEXT = 65_535;

function IsTime(): PropertyDecorator {
  return ValidateBy({
    name: 'isTime',
    validator: {
      validate: (value: unknown) =>
        (typeof value === 'string' && !Number.isNaN(Date.parse(value))) ||
        (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0),
      defaultMessage: () => '$property must be a time: ISO 8601, or milliseconds since the epoch',
    },
  });
}

const IsRatio = (): PropertyDecorator => (target, key) => {
  IsNumber()(target, key);
  Min(0)(target, key);
  Max(MAX_ALLOCATION_RATIO)(target, key);
};

export class HypervisorDto {
  @MayBeNull() @IsText() readonly type?: string | null;
  @MayBeNull() @IsCount() readonly version?: number | null;
  @MayBeNull() @IsText() readonly hostname?: string | null;
  @MayBeNull() @IsTextOrObject() readonly cpu_info?: unknown;
}

export class MetricDto {
  @IsName() readonly name!: string;
  @IsNumber() readonly value!: number;
  @MayBeNull() @IsText() readonly unit?: string | null;
  @MayBeNull() @IsTime() readonly measured_at?: string | number | null;
}

export class ReportedInstanceDto implements ReportedInstanceBody {
  @IsUuid() readonly uuid!: string;
  @MayBeNull() @IsText() readonly flavor?: string | null;
  @MayBeNull() @IsText() readonly project_id?: string | null;
  @MayBeNull() @IsText() readonly task_state?: string | null;
  @MayBeNull() @IsText() readonly vm_state?: string | null;
  @NullIsAbsent() @IsScalarMap({ valueMax: PROPERTY_TEXT }) readonly image_properties?: ScalarMap;
}

/** The body of PUT /scheduler/hosts/{host}/{node}. */
export class HostReportDto implements HostReportBody {
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
  @MayBeNull() @IsListOfTexts() readonly supported_instances?: readonly (readonly string[])[] | null;
  @MayBeNull() @IsScalarMap({ valueMax: PROPERTY_TEXT }) readonly stats?: ScalarMap | null;

  @MayBeNull()
  @IsListOf(() => MetricDto, SCHEDULER_LIMITS.reportEntries)
  readonly metrics?: readonly MetricDto[] | null;

  @MayBeNull() @IsCount(0, MAX_INT) readonly failed_builds?: number | null;
  @MayBeNull() @IsCount(0, MAX_INT) readonly reserved_host_cpus?: number | null;
  @MayBeNull() @IsCount(0, MAX_INT) readonly reserved_host_memory_mb?: number | null;
  @MayBeNull() @IsCount(0, MAX_INT) readonly reserved_host_disk_mb?: number | null;

  /** Judged with the devices by report-rules.ts. */
  @MayBeNull() readonly numa_topology?: unknown;
  @MayBeNull() readonly pci_device_pools?: unknown;

  @MayBeNull()
  @IsListOf(() => ReportedInstanceDto, SCHEDULER_LIMITS.reportEntries)
  readonly instances?: readonly ReportedInstanceDto[] | null;

  @NullIsAbsent() @IsBoolean() readonly report_providers?: boolean;
}
