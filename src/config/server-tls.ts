// Certificate, key and authorities with which the service itself speaks TLS: read from the files that the options name,
// and judged before anybody is served with them. Read again on request: what is wrong then changes nothing.
import { X509Certificate, createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { BerthConfig } from './berth-config';
import { PROCESS_LIMITS } from './limits';

export interface ServerTls {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Authorities of which every client must show a certificate; undefined: clients show none. */
  readonly clientCa: Buffer | undefined;
  /** What an operator should look at: certificates that are over, or not valid yet. */
  readonly warnings: readonly string[];
  /** The end of the certificate's time, as the log shows it. */
  readonly validTo: string;
}

/** Files that cannot be served with; the message begins with the option. */
export class TlsFileError extends Error {
  override readonly name = 'TlsFileError';
}

type TlsOption = 'tls_cert' | 'tls_key' | 'tls_client_ca';
type TlsConfig = Pick<BerthConfig, 'berth' | 'file' | 'cwd'>;

const CERTIFICATE = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^-]*-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g;

/**
 * The files as they are now; undefined where the service speaks plain HTTP. Relative paths start where the configuration
 * file is, else at the working directory. Throws TlsFileError. A certificate whose time is over is only warned about: whoever
 * starts the service may not be able to renew it at once, and some clients do not care.
 */
export function readServerTls(config: TlsConfig, now = Date.now()): ServerTls | undefined {
  const { tls_cert: certFile, tls_key: keyFile, tls_client_ca: caFile } = config.berth;
  if (certFile === null) {
    if (keyFile !== null) throw problem('tls_cert', 'is not set, and tls_key is: a key needs its certificate');
    if (caFile !== null)
      throw problem('tls_cert', 'is not set, and tls_client_ca is: without TLS clients show nothing');
    return undefined;
  }
  const base = config.file === null ? config.cwd : resolve(config.file, '..');
  const cert = readFile('tls_cert', resolve(base, certFile));
  const chain = certificatesIn('tls_cert', certFile, cert);
  // One file may hold both.
  const key = keyFile === null ? cert : readFile('tls_key', resolve(base, keyFile));
  if (chain[0]?.checkPrivateKey(privateKeyIn(keyFile ?? certFile, key)) !== true) {
    throw problem('tls_key', `the key in ${keyFile ?? certFile} does not belong to the certificate in ${certFile}`);
  }
  const clientCa = caFile === null ? undefined : readFile('tls_client_ca', resolve(base, caFile));
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

/** What would stop the start; null: nothing. */
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
    const what = isLocked ? 'a private key with a passphrase, which nobody can be asked for' : 'no private key in PEM';
    throw problem('tls_key', `${path} holds ${what}`, error);
  }
}

/** The library's own judgement: keys that are too short, digests that are not accepted any more. */
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
