// Public keys in the OpenSSH format: type, key in base64, comment.
import { createHash, generateKeyPairSync } from 'node:crypto';

/** A length in four bytes, followed by the content. */
function field(content: string | Buffer): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** The decoded key, which starts with its own type. Undefined if the text is not a public key. */
function keyOf(publicKey: string): Buffer | undefined {
  const [type = '', base64 = ''] = publicKey.trim().split(/\s+/);
  const key = Buffer.from(base64, 'base64');
  const start = field(type);
  return type !== '' && key.subarray(0, start.length).equals(start) ? key : undefined;
}

export const isPublicKey = (text: string): boolean => keyOf(text) !== undefined;

/** MD5 in pairs of hexadecimal digits, as the Compute API shows it. */
export function fingerprintOf(publicKey: string): string {
  const digest = createHash('md5').update(keyOf(publicKey) ?? '');
  return digest.digest('hex').replaceAll(/..(?!$)/g, '$&:');
}

/** Generates an ECDSA key: generating an RSA key takes hundreds of times as long. */
export function newKey(): { readonly publicKey: string; readonly privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const type = 'ecdsa-sha2-nistp256';
  const key = Buffer.concat([field(type), field('nistp256'), field(point)]).toString('base64');
  return {
    publicKey: `${type} ${key} Generated-by-Berth`,
    privateKey: privateKey.export({ format: 'pem', type: 'sec1' }).toString(),
  };
}
