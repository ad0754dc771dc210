// The outcome of a decision as a coloured word.
import { StateMark } from '../../shown/state-mark';
import type { DecisionOutcome } from './decision-document';

const SHOWN: Readonly<Record<DecisionOutcome, { readonly color: string; readonly name: string }>> = {
  placed: { color: 'teal', name: 'placed' },
  no_valid_host: { color: 'red', name: 'no valid host' },
  refused: { color: 'orange', name: 'refused' },
  failed: { color: 'grape', name: 'failed' },
};

export const OUTCOMES = Object.keys(SHOWN) as readonly DecisionOutcome[];

export const outcomeName = (outcome: DecisionOutcome): string => SHOWN[outcome].name;

export const outcomeColor = (outcome: DecisionOutcome): string => SHOWN[outcome].color;

export const OutcomeMark = ({ outcome }: { readonly outcome: DecisionOutcome }) => (
  <StateMark color={outcomeColor(outcome)} text={outcomeName(outcome)} />
);
