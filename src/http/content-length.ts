/** What is wrong with the length that a request gives its body. */
export const lengthProblem = (length: string | undefined): string | undefined =>
  length === undefined || /^\d+$/.test(length) ? undefined : 'the content-length header must be an integer';
