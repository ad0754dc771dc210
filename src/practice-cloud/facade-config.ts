// The part of the configuration that the facade uses.
import type { FacadeConfig } from './options';

type FacadeSettings = Pick<FacadeConfig, 'facade' | 'api' | 'server'>;

/** By default the facade is on only with `noauth2` and a loopback address, for trials on one machine. */
export const isFacadeOn = ({ facade, api, server }: FacadeSettings): boolean =>
  facade.enabled ?? (api.auth_strategy === 'noauth2' && server.isLoopback);

/** With the strategy `keystone`, Keystone is the Identity service and has the catalogue. */
export const hasIdentity = ({ api }: FacadeSettings): boolean => api.auth_strategy !== 'keystone';

/** The only region, and the default region of clients. */
export const REGION = 'RegionOne';
