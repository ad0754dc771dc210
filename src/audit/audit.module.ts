import { Global, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { AuditLog } from './audit-log';

export const AUDIT_LOG = Symbol('the audit log, or null where writes are not audited');

/** For whoever wants to know how the audit log is doing. */
@Global()
@Module({})
export class AuditModule {
  static forRoot(log: AuditLog | null): DynamicModule {
    return { module: AuditModule, providers: [{ provide: AUDIT_LOG, useValue: log }], exports: [AUDIT_LOG] };
  }
}
