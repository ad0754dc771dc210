// The age of figures that the service computes in the background.
import { ageText } from '../../shown/age';
import { Note } from '../../shown/note';

interface Aged {
  readonly state: 'current' | 'computing';
  readonly age_s: number | null;
}

const SOON_MS = 2_000;
const LATER_MS = 20_000;

/** Poll interval: 2 s while a newer answer is being computed, otherwise 20 s. */
export const REFRESH = (answer: Pick<Aged, 'state'> | undefined): number =>
  answer?.state === 'computing' ? SOON_MS : LATER_MS;

/** Shown only while a newer answer is being computed, or for old figures. */
export function AgeText({ answer, of }: { readonly answer: Aged | undefined; readonly of?: string }) {
  const text = answer === undefined ? undefined : ageOf(answer);
  if (text === undefined) return null;
  return <Note className="numbers">{of === undefined ? text : `${of}: ${text}`}</Note>;
}

const OLD_S = 60;

function ageOf({ state, age_s: age }: Aged): string | undefined {
  if (age === null) return state === 'computing' ? 'being worked out' : undefined;
  if (state === 'computing') return `${ageText(age)} old, being recalculated`;
  return age < OLD_S ? undefined : `${ageText(age)} old`;
}
