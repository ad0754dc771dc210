// An API below its own path with the protocol of another service: its own versions, errors and public documents. The
// edge implements these rules; the wiring lists the APIs.
import type { IncomingHttpHeaders } from 'node:http';
import type { SchemaNode } from '../microversion/versioned-schema';

/** A negotiated version of the API. */
export interface MountedVersion {
  /** In the syntax of a request. */
  readonly text: string;
}

/** The requested version does not exist, or the header is malformed. */
export interface VersionRefusal {
  readonly kind: 'malformed' | 'unacceptable';
  readonly message: string;
}

/** A refusal before it has the API's format. */
interface ShownRefusal {
  readonly status: number;
  /** One line, without internals. */
  readonly detail: string;
  readonly title: string;
}

export interface MountedApi {
  /** Path prefix of the API, without a trailing slash. */
  readonly path: string;
  /** Its name in the API document, and the prefix of its refusal schemas. */
  readonly name: string;
  /** Whether the request needs no authentication; `path` has no trailing slash. */
  isFree(method: string, path: string): boolean;
  /** Undefined if the API has no versions except those in its paths. */
  negotiate(headers: IncomingHttpHeaders): MountedVersion | VersionRefusal | undefined;
  /** Headers of every answer. */
  headersOf(version: MountedVersion | undefined): Readonly<Record<string, string>>;
  /** The document of a refusal. */
  refusalDocument(refusal: ShownRefusal): object;
  /** The schema of refusal documents, for one status or for all. */
  refusalSchema(status?: number): SchemaNode;
  /** Sends refusals as HTML or plain text to clients that do not accept JSON; otherwise always as a document. */
  readonly obeysAccept: boolean;
}

/** The mounted API of a path. */
export const mountOf = (path: string, mounts: readonly MountedApi[]): MountedApi | undefined => {
  for (const mount of mounts) if (isAtOrBelow(path, mount.path)) return mount;
  return undefined;
};

export const isAtOrBelow = (path: string, start: string): boolean =>
  path.startsWith(start) && (path.length === start.length || path[start.length] === '/');

/** An API with versions negotiates its oldest one without a header. */
export const hasVersions = (mount: MountedApi): boolean => mount.negotiate({}) !== undefined;

export const isVersionRefusal = (outcome: MountedVersion | VersionRefusal): outcome is VersionRefusal =>
  'kind' in outcome;
