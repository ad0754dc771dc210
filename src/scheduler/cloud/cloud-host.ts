// A host as metrics and reports see it.
import type { Tree } from '../../placement/candidate-search';
import type { KnownHost } from '../ports';
import type { HostStatus } from './host-status';

/** A root provider with its tree and what it is as a host. */
export interface CloudHost {
  readonly tree: Tree;
  readonly known: KnownHost;
  /** Null: in none. */
  readonly zone: string | null;
  readonly status: HostStatus;
  readonly statusReason: string | null;
}
