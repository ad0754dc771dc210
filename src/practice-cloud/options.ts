// Options of the facade, which serves the registries through OpenStack's APIs.

import type { PlatformConfig } from '../platform/config/platform-config';
import type { GroupValues } from '../platform/values/options';
import { boolean } from '../platform/values/options';

export const FACADE_OPTIONS = {
  facade: {
    enabled: boolean(
      null,
      'Serve `/compute/v2.1`, `/image/v2` and `/identity/v3`, so that the clients of OpenStack can be pointed at Berth ' +
        'alone. Unset: only where `[api] auth_strategy` is `noauth2` and the service listens on loopback.',
    ),
  },
} as const;

export type FacadeConfig = PlatformConfig & GroupValues<typeof FACADE_OPTIONS>;
