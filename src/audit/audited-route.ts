// What is said of a route whose use is audited.

export interface AuditedRoute {
  /** CADF's word, and behind the slash what of the target it is about. A PUT that makes its target is a `create`. */
  readonly action: string;
  /** Kind of resource, below `service/compute`. */
  readonly target: string;
  /** Parameters of the path that name the target. None: what is made, or nothing in particular. */
  readonly id: readonly string[];
  /** Fields of documents that an event shows; `all`, where the schema knows every one by name or by form. */
  readonly shows: readonly string[] | 'all';
  /** What hosts send by themselves, again and again. */
  readonly isReport?: true;
}
