import 'reflect-metadata';
import { IsIn } from 'class-validator';
import { IsFilledText, IsName, MayBeAbsent, MayBeNull } from '../../../compute/registry-schema';
import { SERVICE_STATUSES } from '../../../compute/services/service-liveness';
import { IsNovaBoolean } from '../nova-values';
import { COMPUTE_BINARY } from './compute-services.presenter';

/** The body of PUT /os-services/{enable,disable,disable-log-reason,force-down}. */
export class ServiceActionBody {
  @IsName() readonly host!: string;
  @IsIn([COMPUTE_BINARY]) readonly binary!: string;
  @MayBeAbsent() @IsFilledText() readonly disabled_reason?: string;
  @MayBeAbsent() @IsNovaBoolean() readonly forced_down?: boolean;
}

/** The body of PUT /os-services/{id}. */
export class ServiceChangeBody {
  @MayBeAbsent() @IsIn(SERVICE_STATUSES) readonly status?: (typeof SERVICE_STATUSES)[number];
  @MayBeNull() @IsFilledText() readonly disabled_reason?: string | null;
  @MayBeAbsent() @IsNovaBoolean() readonly forced_down?: boolean;
}
