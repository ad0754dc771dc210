// The part of the configuration that the practice cloud uses.
import type { PracticeCloudConfig } from './options';

type PracticeCloudSettings = Pick<PracticeCloudConfig, 'practice_cloud' | 'api' | 'server'>;

/** By default the practice cloud is on only with `noauth2` and a loopback address, for trials on one machine. */
export const isPracticeCloudOn = ({ practice_cloud: options, api, server }: PracticeCloudSettings): boolean =>
  options.enabled ?? (api.auth_strategy === 'noauth2' && server.isLoopback);

/** With the strategy `keystone`, Keystone is the Identity service and has the catalogue. */
export const hasIdentity = ({ api }: PracticeCloudSettings): boolean => api.auth_strategy !== 'keystone';

/** The only region, and the default region of clients. */
export const REGION = 'RegionOne';
