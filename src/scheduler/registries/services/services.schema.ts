import 'reflect-metadata';
import { IsBoolean, IsIn, IsOptional, ValidateIf } from 'class-validator';
import { IsCount, IsText } from '../registry-schema';

export const SERVICE_STATUSES = ['enabled', 'disabled'] as const;

/** The body of PATCH /scheduler/services/{host}: what is absent stays as it is. */
export class ServicePatchDto {
  @ValidateIf(({ status }: ServicePatchDto) => status !== undefined)
  @IsIn(SERVICE_STATUSES)
  readonly status?: (typeof SERVICE_STATUSES)[number];

  @IsOptional() @IsText() readonly disabled_reason?: string | null;

  @ValidateIf(({ forced_down: forced }: ServicePatchDto) => forced !== undefined)
  @IsBoolean()
  readonly forced_down?: boolean;

  @IsOptional() @IsCount() readonly generation?: number;
}
