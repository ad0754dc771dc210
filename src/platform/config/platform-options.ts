// The options that the platform itself reads, by group, in the words of Placement, its libraries and Berth. The other
// rooms declare theirs, and the top joins them.

import { AUDIT_OPTIONS } from './groups/audit-options';
import { KEYSTONE_AUTHTOKEN_OPTIONS } from './groups/keystone-options';
import { CORS_OPTIONS, DEFAULT_OPTIONS, OSLO_MIDDLEWARE_OPTIONS } from './groups/library-options';
import {
  API_OPTIONS,
  BERTH_OPTIONS,
  OSLO_POLICY_OPTIONS,
  PLACEMENT_DATABASE_OPTIONS,
  WRITE_OPTIONS,
} from './groups/service-options';

export const PLATFORM_OPTIONS = {
  DEFAULT: DEFAULT_OPTIONS,
  berth: BERTH_OPTIONS,
  api: API_OPTIONS,
  placement: WRITE_OPTIONS,
  placement_database: PLACEMENT_DATABASE_OPTIONS,
  audit: AUDIT_OPTIONS,
  oslo_policy: OSLO_POLICY_OPTIONS,
  oslo_middleware: OSLO_MIDDLEWARE_OPTIONS,
  cors: CORS_OPTIONS,
  keystone_authtoken: KEYSTONE_AUTHTOKEN_OPTIONS,
} as const;

export type PlatformGroups = typeof PLATFORM_OPTIONS;
