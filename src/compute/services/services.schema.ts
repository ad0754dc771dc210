import 'reflect-metadata';
import { IsBoolean, IsIn } from 'class-validator';
import { IsCount, IsText, MayBeAbsent, MayBeNull } from '../registry-schema';
import type { ServiceStatus } from './service-liveness';
import { SERVICE_STATUSES } from './service-liveness';

/** The body of PATCH /scheduler/services/{host}. Absent fields keep their value. */
export class ServicePatchDto {
  @MayBeAbsent() @IsIn(SERVICE_STATUSES) readonly status?: ServiceStatus;

  @MayBeNull() @IsText() readonly disabled_reason?: string | null;

  @MayBeAbsent() @IsBoolean() readonly forced_down?: boolean;

  @MayBeAbsent() @IsCount() readonly generation?: number;
}
