// A refusal that only the edge can utter: about headers, versions and methods, not about the subject.
import type { Refusal } from './error-document';

export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';

  constructor(readonly refusal: Refusal) {
    super(refusal.detail);
  }
}
