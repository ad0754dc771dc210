// Options of the facade, which serves the registries in the words of OpenStack's clients.
import { boolean } from '../domain/options';

export const FACADE_OPTIONS = {
  enabled: boolean(
    null,
    'Serve `/compute/v2.1`, `/image/v2` and `/identity/v3`, so that the clients of OpenStack can be pointed at Berth ' +
      'alone. Unset: only where `[api] auth_strategy` is `noauth2` and the service listens on loopback.',
  ),
} as const;
