// Certificate, key and client authorities for the service's own TLS. The files are read and checked before use. They
// can be reloaded on request; a reload with a problem keeps the old certificates.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { StartRefused } from '../values/start-refused';
import type { PlatformConfig } from './platform-config';

export interface ServerTls {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Authorities for mandatory client certificates; undefined if clients need none. */
  readonly clientCa: Buffer | undefined;
  /** Warnings for the operator: expired certificates, or not valid yet. */
  readonly warnings: readonly string[];
  /** The certificate's expiry, for the log. */
  readonly validTo: string;
}

type TlsOption = 'tls_cert' | 'tls_key' | 'tls_client_ca';
type TlsConfig = Pick<PlatformConfig, 'berth' | 'folder'>;

/**
 * Reads the files; undefined for plain HTTP. Relative paths start at the configuration file's folder, otherwise at the
 * working directory. Throws StartRefused. An expired certificate causes only a warning, because the operator often
 * cannot renew it at once.
 */
export function readServerTls(config: TlsConfig, now = Date.now()): ServerTls | undefined {
  const { tls_cert: certFile, tls_key: keyFile, tls_client_ca: caFile } = config.berth;
  if (certFile === null) {
    if (keyFile !== null) throw problem('tls_cert', 'is not set, and tls_key is: a key needs its certificate');
    if (caFile !== null)
      throw problem('tls_cert', 'is not set, and tls_client_ca is: without TLS clients show nothing');
    return undefined;
  }
  const cert = readFile('tls_cert', config, certFile);
  const leaf = usable('tls_cert', certFile, () => new X509Certificate(cert));
  // One file can contain both.
  const key = keyFile === null ? cert : readFile('tls_key', config, keyFile);
  usable('tls_key', keyFile ?? certFile, () => {
    if (key.includes('ENCRYPTED')) throw new Error('a key with a passphrase is not supported');
    createPrivateKey(key);
    // OpenSSL's own checks: whether they belong together, short keys, digests that are no longer accepted.
    createSecureContext({ cert, key });
  });
  const clientCa = caFile === null ? undefined : readFile('tls_client_ca', config, caFile);
  if (caFile !== null && clientCa) {
    usable('tls_client_ca', caFile, () => {
      createSecureContext({ ca: clientCa });
      return new X509Certificate(clientCa);
    });
  }
  return { cert, key, clientCa, warnings: timeWarnings(certFile, leaf, now), validTo: leaf.validTo };
}

const problem = (option: TlsOption, what: string, cause?: unknown): StartRefused =>
  new StartRefused(`[berth] ${option}: ${what}`, { cause });

function readFile(option: TlsOption, { folder }: TlsConfig, path: string): Buffer {
  const file = resolve(folder, path);
  try {
    return readFileSync(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw problem(option, `${file} cannot be read (${code})`, error);
  }
}

function usable<T>(option: TlsOption, path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw problem(option, `${path} cannot be used: ${(error as Error).message}`, error);
  }
}

function timeWarnings(path: string, { subject, validFrom, validTo }: X509Certificate, now: number): readonly string[] {
  const who = `[berth] tls_cert: the certificate of ${subject.replaceAll('\n', ', ')} in ${path}`;
  if (Date.parse(validTo) < now) return [`${who} is over since ${validTo}`];
  return Date.parse(validFrom) > now ? [`${who} is not valid before ${validFrom}`] : [];
}
