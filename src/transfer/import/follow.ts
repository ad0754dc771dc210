// Follows a reference that is still in use: repeated passes, each over one snapshot. There is no pass while the
// reference does not change.
import { setTimeout as pause } from 'node:timers/promises';
import { secondsSince, SILENT } from '../progress';
import type { Fingerprints } from '../reference/reader';
import { isSameSource } from '../reference/reader';
import type { ImportContext } from './import-context';
import { importPass } from './import-pass';

/** The pause between two passes. */
const FOLLOW_PAUSE_MS = 1_000;
/** Maximum of failed passes in a row. */
const FOLLOW_FAILURES = 10;

/** Runs until `stop`. Retries a failed pass; throws after `followFailures` failures in a row. */
export async function followReference(
  context: ImportContext,
  print: (text: string) => void,
  stop: AbortSignal | undefined,
): Promise<void> {
  let [failures, isFirst] = [0, true];
  let followed: Fingerprints | undefined;
  let levelSince: number | undefined;
  while (stop?.aborted !== true) {
    const [began, before] = [performance.now(), context.written.count];
    try {
      const fingerprints = await context.reader.fingerprints();
      // Only the first pass is long enough for a progress bar.
      const pass = isFirst ? context : { ...context, progress: SILENT };
      if (followed === undefined || !isSameSource(followed, fingerprints)) await importPass(pass);
      followed = fingerprints;
      [failures, isFirst] = [0, false];
    } catch (error) {
      failures += 1;
      if (failures >= FOLLOW_FAILURES) throw error;
      print(`a pass failed and is done again: ${error instanceof Error ? error.message : String(error)}`);
    }
    const seconds = secondsSince(began);
    const rows = context.written.count - before;
    if (failures === 0 && rows > 0) {
      levelSince = undefined;
      print(`${rows} rows followed in ${seconds} s`);
    } else if (failures === 0 && levelSince === undefined) {
      levelSince = context.now();
      print(
        `LEVEL at ${new Date(levelSince).toISOString()}: nothing changed during the last pass of ${seconds} s. Stop what ` +
          'writes to the reference, then interrupt this command (Ctrl-C): it does one more pass and verifies.',
      );
    }
    await pause(FOLLOW_PAUSE_MS, undefined, stop === undefined ? {} : { signal: stop }).catch(() => undefined);
  }
}
