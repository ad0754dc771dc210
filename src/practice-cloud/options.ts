// Options of the practice cloud, which serves the registries through OpenStack's APIs.

import type { PlatformConfig } from '../platform/config/platform-config';
import type { GroupValues } from '../platform/values/options';
import { boolean } from '../platform/values/options';

export const PRACTICE_CLOUD_OPTIONS = {
  practice_cloud: {
    enabled: boolean(
      null,
      'Serve `/compute/v2.1`, `/image/v2` and `/identity/v3`, so that the clients of OpenStack can be pointed at Berth ' +
        'alone. Unset: only where `[api] auth_strategy` is `noauth2` and the service listens on loopback.',
      { formerly: ['facade.enabled'] },
    ),
  },
} as const;

export type PracticeCloudConfig = PlatformConfig & GroupValues<typeof PRACTICE_CLOUD_OPTIONS>;
