// Temporary certificates, made by openssl in a temporary folder: authorities and the certificates they sign.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Issue {
  /** Name of the authority that signs it. */
  readonly by: string;
  /** As openssl writes it: `IP:127.0.0.1`. */
  readonly alternative: string;
  /** Validity in days; a negative value makes an expired certificate. */
  readonly days?: number;
}

/** `NAME.crt` and `NAME.key` are a certificate and its key, both PEM. */
export class Certificates {
  readonly folder = mkdtempSync(join(tmpdir(), 'berth-certificates-'));

  file(name: string): string {
    return join(this.folder, name);
  }

  authority(name: string): void {
    openssl(
      'req',
      '-x509',
      ...this.newKey(name),
      '-subj',
      `/CN=${name}`,
      '-days',
      '30',
      '-out',
      this.file(`${name}.crt`),
    );
  }

  issue(name: string, { by, alternative, days = 30 }: Issue): void {
    openssl('req', ...this.newKey(name), '-subj', `/CN=${name}`, '-out', this.file(`${name}.csr`));
    writeFileSync(this.file(`${name}.ext`), `subjectAltName=${alternative}\n`);
    const authority = ['-CA', this.file(`${by}.crt`), '-CAkey', this.file(`${by}.key`), '-CAcreateserial'];
    openssl(
      ...['x509', '-req', '-in', this.file(`${name}.csr`), ...authority, '-days', String(days)],
      ...['-extfile', this.file(`${name}.ext`), '-out', this.file(`${name}.crt`)],
    );
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private newKey(name: string): readonly string[] {
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    return [...kind, '-keyout', this.file(`${name}.key`)];
  }
}

/** Runs openssl with these arguments. */
export const openssl = (...words: readonly string[]): unknown => execFileSync('openssl', words, { stdio: 'pipe' });
