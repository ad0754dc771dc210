// The report of a host, its heartbeat. Everything is optional: what is not said is not known.
import 'reflect-metadata';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsNumber,
  IsOptional,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { SCHEDULER_LIMITS } from '../../../config/limits';
import { MAX_ALLOCATION_RATIO, MAX_INT } from '../../../domain/inventory';
import type { HostReportBody, ReportedInstanceBody } from '../../host-state/host-facts';
import { IsCount, IsListOfTexts, IsName, IsScalarMap, IsText, IsTextOrObject, IsUuid } from '../registry-schema';
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
  @IsOptional() @IsText() readonly type?: string | null;
  @IsOptional() @IsCount() readonly version?: number | null;
  @IsOptional() @IsText() readonly hostname?: string | null;
  @IsOptional() @IsTextOrObject() readonly cpu_info?: unknown;
}

export class MetricDto {
  @IsName() readonly name!: string;
  @IsNumber() readonly value!: number;
  @IsOptional() @IsText() readonly unit?: string | null;
  @IsOptional() @IsTime() readonly measured_at?: string | number | null;
}

export class ReportedInstanceDto implements ReportedInstanceBody {
  @IsUuid() readonly uuid!: string;
  @IsOptional() @IsText() readonly flavor?: string | null;
  @IsOptional() @IsText() readonly project_id?: string | null;
  @IsOptional() @IsText() readonly task_state?: string | null;
  @IsOptional() @IsText() readonly vm_state?: string | null;
  @IsOptional() @IsScalarMap({ valueMax: PROPERTY_TEXT }) readonly image_properties?: ScalarMap;
}

/** The body of PUT /scheduler/hosts/{host}/{node}. */
export class HostReportDto implements HostReportBody {
  @IsOptional() @IsUuid() readonly uuid?: string | null;
  @IsOptional() @IsName() readonly cell?: string | null;
  @IsOptional() @IsCount(0, MAX_INT) readonly service_version?: number | null;

  @IsOptional()
  @ValidateNested()
  @Type(() => HypervisorDto)
  readonly hypervisor?: HypervisorDto | null;

  @IsOptional() @IsText() readonly host_ip?: string | null;
  @IsOptional() @IsCount(0, MAX_INT) readonly vcpus_total?: number | null;
  @IsOptional() @IsCount(0, MAX_INT) readonly vcpus_used?: number | null;
  @IsOptional() @IsCount(0, MAX_INT) readonly memory_mb?: number | null;
  @IsOptional() @IsAmount() readonly free_ram_mb?: number | null;
  @IsOptional() @IsCount(0, MAX_INT) readonly local_gb?: number | null;
  @IsOptional() @IsAmount() readonly free_disk_gb?: number | null;
  @IsOptional() @IsAmount() readonly disk_available_least?: number | null;
  @IsOptional() @IsCount(0, MAX_INT) readonly local_gb_used?: number | null;
  @IsOptional() @IsRatio() readonly cpu_allocation_ratio?: number | null;
  @IsOptional() @IsRatio() readonly ram_allocation_ratio?: number | null;
  @IsOptional() @IsRatio() readonly disk_allocation_ratio?: number | null;
  @IsOptional() @IsListOfTexts() readonly supported_instances?: readonly (readonly string[])[] | null;
  @IsOptional() @IsScalarMap({ valueMax: PROPERTY_TEXT }) readonly stats?: ScalarMap | null;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(SCHEDULER_LIMITS.reportEntries)
  @ValidateNested({ each: true })
  @Type(() => MetricDto)
  readonly metrics?: readonly MetricDto[] | null;

  @IsOptional() @IsCount(0, MAX_INT) readonly failed_builds?: number | null;
  @IsOptional() @IsCount(0, MAX_INT) readonly reserved_host_cpus?: number | null;
  @IsOptional() @IsCount(0, MAX_INT) readonly reserved_host_memory_mb?: number | null;
  @IsOptional() @IsCount(0, MAX_INT) readonly reserved_host_disk_mb?: number | null;

  /** Judged with the devices by report-rules.ts. */
  @IsOptional() readonly numa_topology?: unknown;
  @IsOptional() readonly pci_device_pools?: unknown;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(SCHEDULER_LIMITS.reportEntries)
  @ValidateNested({ each: true })
  @Type(() => ReportedInstanceDto)
  readonly instances?: readonly ReportedInstanceDto[] | null;

  @IsOptional() @IsBoolean() readonly report_providers?: boolean;
}
