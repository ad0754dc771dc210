// What is wrong, or suspicious, with a flavor or an image: for whoever writes one.

export { problemsOfFlavor } from './lint-flavor';
export { problemsOfImage } from './lint-image';
export type { LintProblem } from './lint-problem';
