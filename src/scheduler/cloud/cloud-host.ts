// A host in metrics and reports.
import type { Tree } from '../../placement/candidate-search';
import type { KnownHost } from '../ports';
import type { HostStatus } from './host-status';

/** A root provider with its tree and its facts as a host. */
export interface CloudHost {
  readonly tree: Tree;
  readonly known: KnownHost;
  /** Null: no zone. */
  readonly zone: string | null;
  readonly status: HostStatus;
  readonly statusReason: string | null;
}
