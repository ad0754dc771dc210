// Options that several commands share.

/** Prints the document, or the same as text. */
export interface Printing {
  readonly json?: true;
}

export interface RequestOptions {
  readonly flavor: string;
  readonly image?: string;
  readonly zone?: string;
}
