// Natural order of names: `cn2` before `cn10`. A key takes one replacement per name, and keys compare as text.

const DIGITS = /\d+/g;
/** The first character after '/', so that a number sorts before letters, as a digit does. */
const SHORTEST = 47;

/** Names with equal keys differ in leading zeros only. */
export const naturalKey = (name: string): string => name.toLowerCase().replace(DIGITS, numberKey);

/** A number with its length in front: longer numbers are larger. */
function numberKey(digits: string): string {
  const significant = digits.replace(/^0+(?=\d)/, '');
  return `${String.fromCharCode(SHORTEST + Math.min(significant.length, 10))}${significant}`;
}
