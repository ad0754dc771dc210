// Computes size and checksums of image data from a stream, without storing the data.
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { CallerGone } from '../../platform/event-loop/caller';

/** Undefined if there are more than `bytesMax` bytes. Throws CallerGone if the client disconnects before the end. */
export async function measureData(data: Readable, bytesMax: number) {
  const md5 = createHash('md5');
  const sha512 = createHash('sha512');
  let sizeBytes = 0;
  const parts = data[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (;;) {
    const part = await parts.next().catch(() => {
      throw new CallerGone();
    });
    if (part.done === true) return { sizeBytes, md5: md5.digest('hex'), sha512: sha512.digest('hex') };
    sizeBytes += part.value.length;
    if (sizeBytes > bytesMax) return undefined;
    md5.update(part.value);
    sha512.update(part.value);
  }
}
