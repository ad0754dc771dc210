// What a check before the switch found.

type Severity = 'ok' | 'warning' | 'error';

export interface Finding {
  readonly severity: Severity;
  /** What was checked. */
  readonly subject: string;
  readonly text: string;
}

export const ok = (subject: string, text: string): Finding => ({ severity: 'ok', subject, text });
export const warning = (subject: string, text: string): Finding => ({ severity: 'warning', subject, text });
export const failed = (subject: string, text: string): Finding => ({ severity: 'error', subject, text });

/** Findings of one kind; a cloud can have thousands. */
const SHOWN = 20;

export function bounded(findings: readonly Finding[]): readonly Finding[] {
  const [first] = findings;
  if (first === undefined || findings.length <= SHOWN) return findings;
  const { severity, subject } = first;
  return [...findings.slice(0, SHOWN), { severity, subject, text: `… and ${findings.length - SHOWN} more` }];
}
