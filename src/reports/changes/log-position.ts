// A position in the change log as text that every process of the service reads: when the log was read last, by the
// database's clock, and the last number read of each lane. Each position has exactly one text, so an altered text is
// refused. It holds no secret and grants nothing: a client that invents a position only gets other changes.
import { CHANGE_STREAM_LIMITS } from '../../platform/config/limits/reports';

export interface LogPosition {
  readonly readAtSeconds: number;
  /** Lane to the last number read. */
  readonly vector: ReadonlyMap<number, number>;
}

const FORMAT = 1;
const LOW_BITS = 0x7f;
const FURTHER = 0x80;
const BASE = 128;

/**
 * If there are more lanes than a position can name, those with the fewest writes are left out. Their changes are
 * reported again; none is lost.
 */
export function positionText({ readAtSeconds, vector }: LogPosition): string {
  const bytes: number[] = [FORMAT];
  writeNumber(bytes, readAtSeconds);
  let before = 0;
  for (const [lane, seq] of named(vector)) {
    writeNumber(bytes, lane - before);
    writeNumber(bytes, seq);
    before = lane;
  }
  return Buffer.from(bytes).toString('base64url');
}

/** Undefined: the text is not a position. */
export function positionOf(text: string): LogPosition | undefined {
  if (text.length > CHANGE_STREAM_LIMITS.positionCharacters || !/^[\w-]+$/.test(text)) return undefined;
  const numbers = numbersOf(Buffer.from(text, 'base64url'));
  if (numbers === undefined || numbers.length < 2 || numbers.length % 2 !== 0 || numbers[0] !== FORMAT)
    return undefined;
  const vector = new Map<number, number>();
  let lane = 0;
  for (let at = 2; at < numbers.length; at += 2) {
    const [step = 0, seq = 0] = [numbers[at], numbers[at + 1]];
    lane += step;
    if (step === 0 || !Number.isSafeInteger(lane)) return undefined;
    vector.set(lane, seq);
  }
  const position = { readAtSeconds: numbers[1] ?? 0, vector };
  return positionText(position) === text ? position : undefined;
}

function named(vector: LogPosition['vector']): readonly (readonly [lane: number, seq: number])[] {
  let lanes = [...vector];
  if (lanes.length > CHANGE_STREAM_LIMITS.positionLanes) {
    lanes = lanes.sort(([, one], [, other]) => other - one).slice(0, CHANGE_STREAM_LIMITS.positionLanes);
  }
  return lanes.sort(([one], [other]) => one - other);
}

/** Seven bits per byte, the lowest first. */
function writeNumber(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= BASE) {
    bytes.push((rest % BASE) | FURTHER);
    rest = Math.floor(rest / BASE);
  }
  bytes.push(rest);
}

function numbersOf(bytes: Uint8Array): readonly number[] | undefined {
  const numbers: number[] = [];
  let [value, weight] = [0, 1];
  for (const byte of bytes) {
    value += (byte & LOW_BITS) * weight;
    if (!Number.isSafeInteger(value)) return undefined;
    if ((byte & FURTHER) !== 0) weight *= BASE;
    else {
      numbers.push(value);
      [value, weight] = [0, 1];
    }
  }
  return weight === 1 ? numbers : undefined;
}
