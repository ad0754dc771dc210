import 'reflect-metadata';
import { IsIn } from 'class-validator';
import { IsFilledText, IsName, MayBeAbsent, MayBeNull } from '../../../compute/registry-schema';
import { SERVICE_STATUSES } from '../../../compute/services/service-liveness';
import { IsNovaBoolean } from '../nova-values';
import { COMPUTE_BINARY } from './compute-services.presenter';

/** The body of PUT /os-services/{id}. Old versions have `host` and `binary` instead of `status`. */
export class ServiceChangeBody {
  @MayBeAbsent() @IsName() readonly host?: string;
  @MayBeAbsent() @IsIn([COMPUTE_BINARY]) readonly binary?: string;
  @MayBeAbsent() @IsIn(SERVICE_STATUSES) readonly status?: (typeof SERVICE_STATUSES)[number];
  @MayBeNull() @IsFilledText() readonly disabled_reason?: string | null;
  @MayBeAbsent() @IsNovaBoolean() readonly forced_down?: boolean;
}
