// Options that several commands share.

/** Prints JSON instead of text. */
export interface Printing {
  readonly json?: true;
}

export interface RequestOptions {
  readonly flavor: string;
  readonly image?: string;
  readonly zone?: string;
}
