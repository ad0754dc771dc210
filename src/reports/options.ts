// Options of the reports.

import { REPORT_LIMITS } from '../platform/config/limits/reports';
import type { PlatformConfig } from '../platform/config/platform-config';
import type { GroupValues } from '../platform/values/options';
import { integer } from '../platform/values/options';

export const REPORTS_OPTIONS = {
  berth: {
    stranded_max_age_seconds: integer(
      REPORT_LIMITS.strandedAgeSeconds,
      'Maximum age in seconds of the stranded amounts and of the numbers of fitting instances in reports. The next ' +
        'request after that starts a new computation.',
      { min: 1, max: REPORT_LIMITS.strandedAgeSecondsMax },
    ),
    history_interval_seconds: integer(
      300,
      'One process takes a sample of use, refusals and decisions in each interval; samples are kept for eight days. ' +
        '0: none, and no changes of hosts are recorded.',
      { min: 0, max: 3_600 },
    ),
  },
} as const;

export type ReportsConfig = PlatformConfig & GroupValues<typeof REPORTS_OPTIONS>;
