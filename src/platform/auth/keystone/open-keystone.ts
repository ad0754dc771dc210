// Builds the strategy from the configuration: reads certificates and creates the client.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { PlatformConfig } from '../../config/platform-config';
import { refusalIn, StartRefused } from '../../values/start-refused';
import { Identity } from './identity';
import { IdentityClient } from './identity-client';
import type { IdentityLog } from './identity-guard';
import { KeystoneAuthenticator } from './keystone-authenticator';
import { KeystonePasswordLogins } from './keystone-password-logins';
import type { KeystoneTls } from './keystone-settings';
import { keystoneSettings } from './keystone-settings';
import type { ServiceTls } from './service-connection';

/**
 * Sends no request yet. Relative paths start at the configuration file's folder, otherwise at the working directory.
 */
export function openKeystone(config: PlatformConfig, log: IdentityLog): KeystoneAuthenticator {
  const settings = keystoneSettings(config.keystone_authtoken);
  const client = new IdentityClient({ ...settings, tls: readTls(settings.tls, config.folder) });
  const logins = new KeystonePasswordLogins(client, settings.endpoint, log);
  return new KeystoneAuthenticator(new Identity(client, settings, log), settings, log, logins);
}

/** The problem of an unusable certificate or key; null without one. */
export function keystoneFileProblem({ api, keystone_authtoken: options, folder }: PlatformConfig): string | null {
  if (api.auth_strategy !== 'keystone') return null;
  const { cafile: caFile, certfile: certFile, keyfile: keyFile, insecure: isUnchecked } = options;
  return refusalIn(() => readTls({ caFile, certFile, keyFile, isUnchecked }, folder));
}

function readTls({ caFile, certFile, keyFile, isUnchecked }: KeystoneTls, base: string): ServiceTls {
  const read = (option: string, file: string | null): Buffer | undefined => {
    if (file === null) return undefined;
    try {
      return readFileSync(resolve(base, file));
    } catch (error) {
      throw new StartRefused(`[keystone_authtoken] ${option}: ${(error as Error).message}`, { cause: error });
    }
  };
  const ca = read('cafile', caFile);
  const cert = read('certfile', certFile);
  // One file can contain both.
  const key = read('keyfile', keyFile) ?? cert;
  const files = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  try {
    createSecureContext(files);
  } catch (error) {
    const message = `[keystone_authtoken] cafile, certfile or keyfile cannot be used: ${(error as Error).message}`;
    throw new StartRefused(message, { cause: error });
  }
  return { ...files, isUnchecked };
}
