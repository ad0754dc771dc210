// Options of the console.

import type { PlatformConfig } from '../platform/config/platform-config';
import type { GroupValues } from '../platform/values/options';
import { boolean } from '../platform/values/options';

export const CONSOLE_OPTIONS = {
  console: {
    enabled: boolean(
      true,
      'Serve the operators’ console at `/console`. Its pages are free like any public file; what they show comes from the ' +
        'service’s APIs and require a login.',
    ),
  },
} as const;

export type ConsoleConfig = PlatformConfig & GroupValues<typeof CONSOLE_OPTIONS>;
