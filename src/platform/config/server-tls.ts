// Certificate, key and client authorities for the service's own TLS. The files are read and checked before use. They
// can be reloaded on request; a reload with a problem keeps the old certificates.
import type { KeyObject } from 'node:crypto';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { PROCESS_LIMITS } from './limits/processes';
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

/** Unusable files; the message begins with the option. */
export class TlsFileError extends Error {
  override readonly name = 'TlsFileError';
}

type TlsOption = 'tls_cert' | 'tls_key' | 'tls_client_ca';
type TlsConfig = Pick<PlatformConfig, 'berth' | 'folder'>;

const CERTIFICATE = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^-]*-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g;

/**
 * Reads the files; undefined for plain HTTP. Relative paths start at the configuration file's folder, otherwise at the
 * working directory. Throws TlsFileError. An expired certificate causes only a warning, because the operator often
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
  const cert = readFile('tls_cert', resolve(config.folder, certFile));
  const chain = certificatesIn('tls_cert', certFile, cert);
  // One file can contain both.
  const key = keyFile === null ? cert : readFile('tls_key', resolve(config.folder, keyFile));
  if (chain[0]?.checkPrivateKey(privateKeyIn(keyFile ?? certFile, key)) !== true) {
    throw problem('tls_key', `the key in ${keyFile ?? certFile} does not belong to the certificate in ${certFile}`);
  }
  const clientCa = caFile === null ? undefined : readFile('tls_client_ca', resolve(config.folder, caFile));
  const authorities = caFile === null || !clientCa ? [] : certificatesIn('tls_client_ca', caFile, clientCa);
  judgeTogether('tls_cert', certFile, () => createSecureContext({ cert, key }));
  if (caFile !== null && clientCa) judgeTogether('tls_client_ca', caFile, () => createSecureContext({ ca: clientCa }));
  return {
    cert,
    key,
    clientCa,
    warnings: [
      ...timeWarnings('tls_cert', certFile, chain, now),
      ...(caFile === null ? [] : timeWarnings('tls_client_ca', caFile, authorities, now)),
    ],
    validTo: chain[0].validTo,
  };
}

/** The problem that would stop the start; null if there is none. */
export function serverTlsProblem(config: TlsConfig): string | null {
  try {
    readServerTls(config);
    return null;
  } catch (error) {
    if (error instanceof TlsFileError) return error.message;
    throw error;
  }
}

const problem = (option: TlsOption, what: string, cause?: unknown): TlsFileError =>
  new TlsFileError(`[berth] ${option}: ${what}`, { cause });

function readFile(option: TlsOption, path: string): Buffer {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    if (fstatSync(file).size <= PROCESS_LIMITS.configFileBytes) return readFileSync(file);
  } catch (error) {
    throw problem(
      option,
      `${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`,
      error,
    );
  } finally {
    if (file !== undefined) closeSync(file);
  }
  throw problem(option, `${path} is too large for a file of certificates`);
}

function certificatesIn(option: TlsOption, path: string, pem: Buffer): readonly X509Certificate[] {
  const found = pem.toString('latin1').match(CERTIFICATE) ?? [];
  if (found.length === 0) throw problem(option, `${path} holds no certificate in PEM`);
  try {
    return found.map((text) => new X509Certificate(text));
  } catch (error) {
    throw problem(option, `${path} holds a certificate that cannot be read`, error);
  }
}

function privateKeyIn(path: string, pem: Buffer): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    const isLocked = pem.includes('ENCRYPTED');
    const what = isLocked ? 'a private key with a passphrase, which is not supported' : 'no private key in PEM';
    throw problem('tls_key', `${path} holds ${what}`, error);
  }
}

/** OpenSSL's own checks: short keys, digests that are no longer accepted. */
function judgeTogether(option: TlsOption, path: string, use: () => unknown): void {
  try {
    use();
  } catch (error) {
    throw problem(option, `${path} cannot be used: ${(error as Error).message}`, error);
  }
}

const timeWarnings = (
  option: TlsOption,
  path: string,
  certificates: readonly X509Certificate[],
  now: number,
): readonly string[] =>
  certificates.flatMap(({ subject, validFrom, validTo }) => {
    const who = `[berth] ${option}: the certificate of ${subject.replaceAll('\n', ', ')} in ${path}`;
    if (Date.parse(validTo) < now) return [`${who} is over since ${validTo}`];
    return Date.parse(validFrom) > now ? [`${who} is not valid before ${validFrom}`] : [];
  });
