import { matchRequirement, problemOfOperator, suspicionOfOperator } from './extra-spec-operators';

const seen = (have: string, requirement: string): string => {
  const match = matchRequirement(have, requirement);
  return match.kind === 'error' ? `${match.code} ${match.operator}` : match.kind;
};

const FEATURES = "['aes', 'avx2']";

describe('operators of extra specs', () => {
  it.each([
    // = means at least.
    ['10', '= 5', 'holds'],
    ['5', '= 5', 'holds'],
    ['4', '= 5', 'fails'],
    ['5', '= 10', 'fails'],
    ['1e3', '== 1000', 'holds'],
    ['1001', '== 1000', 'fails'],
    ['4', '!= 5', 'holds'],
    ['5', '!= 5.0', 'fails'],
    ['5', '>= 5', 'holds'],
    ['4.9', '>= 5', 'fails'],
    ['5', '<= 5', 'holds'],
    ['5.1', '<= 5', 'fails'],
    [' 5 ', '== 5', 'holds'],
    // Compares by text order.
    ['10', 's> 9', 'fails'],
    ['9', 's> 10', 'holds'],
    ['a', 's== a', 'holds'],
    ['A', 's== a', 'fails'],
    ['a', 's!= a', 'fails'],
    ['b', 's!= a', 'holds'],
    ['a', 's< b', 'holds'],
    ['b', 's< b', 'fails'],
    ['b', 's<= b', 'holds'],
    ['c', 's<= b', 'fails'],
    ['c', 's>= c', 'holds'],
    ['b', 's>= c', 'fails'],
    ['c', 's> c', 'fails'],
    // Substrings.
    [FEATURES, '<in> avx', 'holds'],
    [FEATURES, '<in> sse', 'fails'],
    [FEATURES, '<all-in> aes avx', 'holds'],
    [FEATURES, '<all-in> aes sse', 'fails'],
    [FEATURES, '<in> avx sse', 'holds'],
    // Alternatives.
    ['v2', '<or> v1 <or> v2', 'holds'],
    ['v3', '<or> v1 <or> v2', 'fails'],
    ['v2', '<or> v1 v2', 'fails'],
    ['v1', '<or> v1 v2', 'holds'],
    ['a', '<or> a b c', 'holds'],
    ['c', '<or> a b c', 'holds'],
    ['b', '<or> a b c', 'fails'],
    ['v1', '<or> v1 <or>', 'holds'],
    ['v2', '<or> v1 <or>', 'fails'],
    // Only the first operand counts.
    ['a', 's== a b', 'holds'],
    ['b', 's== a b', 'fails'],
    // No operator: the whole text.
    ['true', 'true', 'holds'],
    ['True', 'true', 'fails'],
    ['abc', 'abc ', 'fails'],
    ['abc ', 'abc ', 'holds'],
    ['a b', 'a b', 'holds'],
    ['', '', 'holds'],
    [' ', ' ', 'holds'],
    ['5', '> 4', 'fails'],
    ['> 4', '> 4', 'holds'],
    ['3', '< 4', 'fails'],
    ['10', '>=5', 'fails'],
    ['>=5', '>=5', 'holds'],
    // Numbers by name.
    ['nan', '>= 5', 'fails'],
    ['nan', '!= 5', 'holds'],
    ['5', '<= inf', 'holds'],
    // Impossible comparisons.
    ['QEMU', '>= 5', 'not_a_number >='],
    ['5', '== x', 'not_a_number =='],
    ['', '= 5', 'not_a_number ='],
    ['5', '>=', 'operator_without_operand >='],
    ['5', '<or>', 'operator_without_operand <or>'],
    ['5', '<in>', 'operator_without_operand <in>'],
    ['5', ' <all-in> ', 'operator_without_operand <all-in>'],
    ['5', 's==', 'operator_without_operand s=='],
  ])('%s against "%s": %s', (have, requirement, answer) => expect(seen(have, requirement)).toBe(answer));
});

describe('requirements when they are written', () => {
  it.each([
    ['>= 5', null],
    ['>= nan', null],
    ['true', null],
    ['>=5', null],
    ['<or> a', null],
    ['>=', 'the operator >= has no operand'],
    ['<or>', 'the operator <or> has no operand'],
    ['s==', 'the operator s== has no operand'],
    ['== many', 'the operator == needs a number, not many'],
  ])('"%s": %s', (requirement, problem) => expect(problemOfOperator(requirement)).toBe(problem));

  it.each([
    ['== 5', null],
    ['true', null],
    ['<or> a <or> b', null],
    ['<all-in> a b', null],
    ['= 5', '= means at least; == means equal'],
    ['>=5', 'a blank is missing after >=; the whole text is compared'],
    ['s==a', 'a blank is missing after s==; the whole text is compared'],
    ['<in>avx', 'a blank is missing after <in>; the whole text is compared'],
    ['> 4', 'there is no operator >; the whole text is compared'],
    ['< 4', 'there is no operator <; the whole text is compared'],
    ['== 5 6', 'only the first operand of == counts'],
    ['<or> a b', 'words between the alternatives of <or> are not looked at; write <or> before each'],
  ])('"%s" is suspicious: %s', (requirement, suspicion) => expect(suspicionOfOperator(requirement)).toBe(suspicion));
});
