// An API below a path of its own that speaks another service's protocol: its own versions, its own errors, its own
// documents that anybody may read. The edge carries each out as it says; which there are is wiring.
import type { IncomingHttpHeaders } from 'node:http';
import type { SchemaNode } from '../microversion/versioned-schema';

/** A version that the client and the API agreed on; what it means is the API's business. */
export interface MountedVersion {
  /** As the client would ask for it. */
  readonly text: string;
}

/** A client asked for no version that there is, or in words that mean none. */
export interface VersionRefusal {
  readonly kind: 'malformed' | 'unacceptable';
  readonly message: string;
}

/** What a client is told, before it has any form. */
interface ToldRefusal {
  readonly status: number;
  /** One line, without internals. */
  readonly detail: string;
  readonly title: string;
}

export interface MountedApi {
  /** Path in front of all of it, without a trailing slash. */
  readonly path: string;
  /** What the API document calls it, and begins the names of its refusals with. */
  readonly name: string;
  /** Whether the request is served to whoever asks; `path` has no trailing slash. */
  isFree(method: string, path: string): boolean;
  /** Undefined: the API has no versions beside those in its paths. */
  negotiate(headers: IncomingHttpHeaders): MountedVersion | VersionRefusal | undefined;
  /** Headers of every answer. */
  headersOf(version: MountedVersion | undefined): Readonly<Record<string, string>>;
  /** The document of a refusal. */
  refusalDocument(refusal: ToldRefusal): object;
  /** The schema of those documents: of one status, or of any. */
  refusalSchema(status?: number): SchemaNode;
  /** Tells refusals to whoever accepts no JSON as HTML or plain text; else everybody gets the document. */
  readonly obeysAccept: boolean;
}

/** The API that a path belongs to. */
export const mountOf = (path: string, mounts: readonly MountedApi[]): MountedApi | undefined => {
  for (const mount of mounts) if (isAtOrBelow(path, mount.path)) return mount;
  return undefined;
};

export const isAtOrBelow = (path: string, start: string): boolean =>
  path.startsWith(start) && (path.length === start.length || path[start.length] === '/');

/** Without a header too, where there are versions: the oldest. */
export const hasVersions = (mount: MountedApi): boolean => mount.negotiate({}) !== undefined;

export const isVersionRefusal = (outcome: MountedVersion | VersionRefusal): outcome is VersionRefusal =>
  'kind' in outcome;
