// What is kept of a decision: its document, compressed, and what it is found by.
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { SCHEDULER_LIMITS } from '../../config/limits';
import { presentDecision } from '../decision.presenter';
import type { Decision } from '../pipeline/decision';
import type { ExplainLevel } from '../scheduler.schema';
import type { DecisionSubject, KeptDecision } from './decisions.repository';

const deflated = promisify(deflateRaw);
const inflated = promisify(inflateRaw);

/** With short lists; with counts only where even that is too large, so that the record is never missing for its size. */
export async function keptDecision(decision: Decision): Promise<KeptDecision | undefined> {
  const { request, summary } = decision;
  for (const level of ['first', 'summary'] satisfies ExplainLevel[]) {
    const view = { level, listsMax: SCHEDULER_LIMITS.decisionListsKept };
    // The fastest level: decisions repeat themselves so much that the best one saves little.
    const packed = await deflated(JSON.stringify(presentDecision(decision, view)), { level: 1 });
    if (packed.length > SCHEDULER_LIMITS.decisionBytes) continue;
    return {
      requestId: decision.requestId,
      atMs: Date.parse(decision.at),
      outcome: decision.outcome,
      code: decision.code,
      projectId: request?.projectId ?? null,
      numInstances: request?.instanceUuids.length ?? 0,
      sentence: summary.sentence,
      document: packed.toString('base64'),
      bytes: packed.length,
      subjects: subjectsOf(decision),
    };
  }
  return undefined;
}

export async function documentOf(text: string): Promise<object> {
  return JSON.parse((await inflated(Buffer.from(text, 'base64'))).toString()) as object;
}

/** The instances, and the hosts that were chosen or tried. */
function subjectsOf({ request, hostsTried }: Decision): readonly DecisionSubject[] {
  const subjects = [
    ...(request?.instanceUuids ?? []).map((name): DecisionSubject => ({ kind: 'instance', name })),
    ...hostsTried.map((name): DecisionSubject => ({ kind: 'host', name })),
  ];
  return subjects.slice(0, SCHEDULER_LIMITS.decisionSubjects);
}
