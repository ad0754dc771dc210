// The methods of a server, by namespace and version, as oslo.messaging's dispatcher selects them.

import type { JsonObject } from '../../platform/values/json-object';
import type { NovaFailure } from '../objects/failure';
import type { CallerContext } from './envelope';

/** The caller, and what identifies the call. */
export interface RpcContext extends CallerContext {
  /** Of the message, to find a repeated delivery; null if the sender set none. */
  readonly uniqueId: string | null;
  /** Of the call; null for a cast. */
  readonly messageId: string | null;
  /** After this time the caller does not wait any more; null: unknown. */
  readonly expiresAtMs: number | null;
  /**
   * The message can have waited in its queue until the caller gave up. The caller's queue still exists then, so a
   * delivered reply does not prove that the caller received it.
   */
  readonly isCallerInDoubt: boolean;
}

/**
 * `delivered`: the broker has the reply in the caller's queue. `returned`: the caller certainly did not receive it.
 * `unconfirmed`: the connection ended between the reply and its confirmation.
 */
export type ReplyOutcome = 'delivered' | 'returned' | 'unconfirmed';

export interface RpcAnswer {
  readonly result: unknown;
  /** Called once, when the outcome of the reply's delivery is known. */
  readonly onReply?: (outcome: ReplyOutcome) => void | Promise<void>;
}

/** The signal is aborted when the caller does not wait any more, or when the server stops. */
export type RpcCall = (args: JsonObject, context: RpcContext, signal: AbortSignal) => Promise<RpcAnswer>;
type RpcCast = (args: JsonObject, context: RpcContext) => void | Promise<void>;

export interface RpcEndpoint {
  readonly namespace: string | null;
  /** The newest version, as MAJOR.MINOR. Older minor versions are accepted as well. */
  readonly version: string;
  readonly calls: Readonly<Record<string, RpcCall>>;
  readonly casts: Readonly<Record<string, RpcCast>>;
  /** The oldest accepted version by method, if it is newer than MAJOR.0. */
  readonly oldest?: Readonly<Record<string, string>>;
}

export type RpcMethods = readonly RpcEndpoint[];

/** A refusal that the caller receives as an exception. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure';

  constructor(readonly failure: NovaFailure) {
    super(failure.message);
  }
}

const DISPATCHER = 'oslo_messaging.rpc.dispatcher';

interface Target {
  readonly method: string;
  readonly namespace: string | null;
  readonly version: string;
}

type Selected = { readonly call: RpcCall } | { readonly cast: RpcCast };

/** The function of a method; throws the failure that a client expects. */
export function selectMethod(methods: RpcMethods, { method, namespace, version }: Target): Selected {
  const endpoints = methods.filter(
    (endpoint) =>
      endpoint.namespace === namespace &&
      isWithin(version, endpoint.version) &&
      isWithin(ownOf(endpoint.oldest ?? {}, method) ?? version, version),
  );
  if (endpoints.length === 0) {
    const versions = methods.map((each) => `${each.namespace ?? 'the default namespace'} ${each.version}`).join(', ');
    throw refusal(
      'UnsupportedVersion',
      `Version ${shown(version)} of method ${shown(method)} is not supported. Supported: ${versions}.`,
    );
  }
  for (const { calls, casts } of endpoints) {
    const [call, cast] = [ownOf(calls, method), ownOf(casts, method)];
    if (call !== undefined) return { call };
    if (cast !== undefined) return { cast };
  }
  throw refusal('NoSuchMethod', `Method ${shown(method)} does not exist.`);
}

const refusal = (name: string, message: string): RpcFailure =>
  new RpcFailure({ class: name, module: DISPATCHER, message });

/** Equal major versions, and a minor version that is not newer. */
function isWithin(version: string, newest: string): boolean {
  const [one, other] = [partsOf(version), partsOf(newest)];
  return one !== null && other !== null && one.major === other.major && one.minor <= other.minor;
}

function partsOf(version: string): { readonly major: number; readonly minor: number } | null {
  const [, major, minor] = /^(\d{1,4})\.(\d{1,4})(?:\.\d{1,4})?$/.exec(version) ?? [];
  return major === undefined || minor === undefined ? null : { major: Number(major), minor: Number(minor) };
}

const ownOf = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** Characters of a caller's text in a message. */
const SHOWN_CHARACTERS = 60;
const shown = (text: string): string => `'${text.slice(0, SHOWN_CHARACTERS)}'`;

/** The methods that every service of nova has. */
export const baseEndpoint = (service: string): RpcEndpoint => ({
  namespace: 'baseapi',
  version: '1.1',
  calls: {
    ping: async ({ arg = null }) => ({ result: { service, arg } }),
    get_backdoor_port: async () => ({ result: null }),
  },
  casts: {},
});
