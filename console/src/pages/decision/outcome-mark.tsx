// The outcome of a decision as a coloured word.
import { StateMark } from '../../shown/state-mark';
import type { DecisionOutcome } from './decision-document';

export const OUTCOME_MARKS: Readonly<Record<DecisionOutcome, { readonly color: string; readonly name: string }>> = {
  placed: { color: 'teal', name: 'placed' },
  no_valid_host: { color: 'red', name: 'no valid host' },
  refused: { color: 'orange', name: 'refused' },
  failed: { color: 'grape', name: 'failed' },
};

export const OUTCOMES = Object.keys(OUTCOME_MARKS) as readonly DecisionOutcome[];

export const OutcomeMark = ({ outcome }: { readonly outcome: DecisionOutcome }) => {
  const { color, name } = OUTCOME_MARKS[outcome];
  return <StateMark color={color} text={name} />;
};
