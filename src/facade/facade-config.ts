// What the facade takes from the configuration.
import type { BerthConfig } from '../config/berth-config';

type FacadeSettings = Pick<BerthConfig, 'facade' | 'api' | 'server'>;

/** Unless it is configured, it is for whoever tries things out on one machine. */
export const isFacadeOn = ({ facade, api, server }: FacadeSettings): boolean =>
  facade.enabled ?? (api.auth_strategy === 'noauth2' && server.isLoopback);

/** Under the strategy `keystone`, Keystone is the Identity service, and has the catalogue. */
export const hasIdentity = ({ api }: FacadeSettings): boolean => api.auth_strategy !== 'keystone';

/** There is one region; clients that ask for none get it. */
export const REGION = 'RegionOne';
