// The stored form of a decision: its compressed document and its subjects.
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { tasks } from '../../platform/event-loop/task-scheduler';
import { bytesOf } from '../../platform/http/body-bytes';
import { jsonBody } from '../../platform/http/long-json';
import type { Task } from '../../platform/values/task';
import type { Decision } from '../../scheduling-rules/pipeline/decision';
import type { ExplainLevel } from '../request/request.schema';
import type { DecisionSubject, KeptDecision } from './decision.entity';
import type { DecisionDocument } from './decision.presenter';
import { presentDecision } from './decision.presenter';

/** Maximum size of a compressed document; a larger one is stored with counts only. */
const DECISION_BYTES = 1 * 1024 * 1024;
/** Maximum size before compression; the document is parsed in one step. */
const DECISION_TEXT_BYTES = 4 * 1024 * 1024;
/** Entries per list of hosts in a stored decision. */
const DECISION_LISTS_KEPT = 25;
/** Maximum of instances and hosts by which one decision is found. */
const DECISION_SUBJECTS = 20_000;

const deflated = promisify(deflateRaw);
const inflated = promisify(inflateRaw);

/** With short lists, or with counts only if even that is too large, so the record always exists. */
export async function keptDecision(decision: Decision): Promise<KeptDecision | undefined> {
  const { request, summary } = decision;
  for (const level of ['first', 'summary'] satisfies ExplainLevel[]) {
    const view = { level, listsMax: DECISION_LISTS_KEPT };
    const packed = await packedDocument(await tasks.paced(() => presentDecision(decision, view)));
    if (packed === undefined) continue;
    return {
      requestId: decision.requestId,
      atMs: Date.parse(decision.at),
      outcome: decision.outcome,
      code: decision.code,
      projectId: request?.projectId ?? null,
      numInstances: request?.instanceUuids.length ?? 0,
      flavor: request?.flavor.name ?? null,
      image: request?.image?.name ?? request?.image?.id ?? null,
      durationMs: decision.durationMs,
      ...chosenOf(decision),
      sentence: summary.sentence,
      document: packed.document,
      bytes: packed.bytes,
      subjects: subjectsOf(decision),
    };
  }
  return undefined;
}

interface PackedDocument extends Pick<KeptDecision, 'document' | 'bytes'> {
  readonly text: Buffer;
}

/** A document as JSON and in its stored form; undefined if it is too long. */
export async function packedDocument(document: DecisionDocument): Promise<PackedDocument | undefined> {
  const text = await tasks.run(textOf(document));
  if (text === undefined) return undefined;
  // The fastest compression level: decisions are so repetitive that the best level saves little.
  const packed = await deflated(text, { level: 1 });
  if (packed.length > DECISION_BYTES) return undefined;
  return { text, document: packed.toString('base64'), bytes: packed.length };
}

/** The document as JSON; undefined if it is too long. */
function* textOf(document: object): Task<Buffer | undefined> {
  const body = jsonBody(document);
  return typeof body === 'string' ? Buffer.from(body) : yield* bytesOf(body, DECISION_TEXT_BYTES);
}

/** The parsed document of a stored text. */
export const readDocument = async (text: string): Promise<DecisionDocument> =>
  JSON.parse((await decisionTextOf(text)).toString()) as DecisionDocument;

/** The document as JSON, decompressed. */
export function decisionTextOf(text: string): Promise<Buffer> {
  return inflated(Buffer.from(text, 'base64'), { maxOutputLength: DECISION_TEXT_BYTES });
}

/** A failed batch released its chosen hosts. */
function chosenOf({ outcome, hostsChosen }: Decision): Pick<KeptDecision, 'hosts' | 'hostsChosen'> {
  const chosen = outcome === 'placed' ? hostsChosen : [];
  return { hosts: chosen.slice(0, SCHEDULER_LIMITS.decisionHostsListed), hostsChosen: chosen.length };
}

/** The instances, and the hosts that were chosen or tried. */
function subjectsOf({ request, hostsTried }: Decision): readonly DecisionSubject[] {
  const subjects = [
    ...(request?.instanceUuids ?? []).map((name): DecisionSubject => ({ kind: 'instance', name })),
    ...hostsTried.map((name): DecisionSubject => ({ kind: 'host', name })),
  ];
  return subjects.slice(0, DECISION_SUBJECTS);
}
