// Keeps up with a reference that is still being written: pass after pass, each over one state of it. What did not change
// since the last pass is not read again, so that a pass over a quiet cloud takes seconds whatever its size.
import { setTimeout as pause } from 'node:timers/promises';
import { TRANSFER_LIMITS } from '../../config/limits';
import { SILENT, secondsSince } from '../progress';
import { importPass, verifiedPass } from './import-pass';
import type { ImportContext } from './import-context';

/** Until `stop`. A pass that fails is done again, a bounded number of times in a row. */
export async function followReference(
  context: ImportContext,
  print: (text: string) => void,
  stop: AbortSignal | undefined,
): Promise<void> {
  let [failures, isFirst] = [0, true];
  // The first pass, and each that follows one which found nothing to do: what is verified then is not at the cut-over.
  let isVerified = false;
  let levelSince: number | undefined;
  while (stop?.aborted !== true) {
    const [began, before] = [performance.now(), context.written.count];
    try {
      // Of the many passes the first one is long.
      const pass = isFirst ? context : { ...context, progress: SILENT };
      if (isFirst || (levelSince !== undefined && !isVerified)) {
        await verifiedPass(pass);
        isVerified = true;
      } else {
        await importPass(pass);
      }
      [failures, isFirst] = [0, false];
    } catch (error) {
      failures += 1;
      if (failures >= TRANSFER_LIMITS.followFailures) throw error;
      print(`a pass failed and is done again: ${error instanceof Error ? error.message : String(error)}`);
    }
    const seconds = secondsSince(began);
    const rows = context.written.count - before;
    if (failures === 0 && rows > 0) {
      levelSince = undefined;
      isVerified = false;
      print(`${rows} rows followed in ${seconds} s`);
    } else if (failures === 0 && levelSince === undefined) {
      levelSince = context.now();
      print(
        `LEVEL at ${new Date(levelSince).toISOString()}: nothing changed during the last pass of ${seconds} s. Stop what ` +
          'writes to the reference, then interrupt this command (Ctrl-C): it does one more pass and verifies.',
      );
    }
    await pause(TRANSFER_LIMITS.followPauseMs, undefined, stop === undefined ? {} : { signal: stop }).catch(
      () => undefined,
    );
  }
}
