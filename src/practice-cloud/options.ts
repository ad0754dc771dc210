// Options of the facade, which serves the registries through OpenStack's APIs.

import { FACADE_LIMITS } from '../platform/config/limits/practice-cloud';
import type { PlatformConfig } from '../platform/config/platform-config';
import type { GroupValues } from '../platform/values/options';
import { boolean, integer } from '../platform/values/options';

export const FACADE_OPTIONS = {
  facade: {
    enabled: boolean(
      null,
      'Serve `/compute/v2.1`, `/image/v2` and `/identity/v3`, so that the clients of OpenStack can be pointed at Berth ' +
        'alone. Unset: only where `[api] auth_strategy` is `noauth2` and the service listens on loopback.',
    ),
    virtual_hosts: integer(
      0,
      'Hosts `virtual-1`, `virtual-2` and so on that the service reports itself, to practise on: nothing runs there, and ' +
        'they stay up while the service runs. A host of such a name that reports itself is left alone.',
      { min: 0, max: FACADE_LIMITS.virtualHosts },
    ),
  },
} as const;

export type FacadeConfig = PlatformConfig & GroupValues<typeof FACADE_OPTIONS>;
