import { canonicalUuid } from './uuid';

const CANONICAL = '4e8e5957-649f-477b-9e5b-f1f75b21c03c';

describe('canonicalUuid', () => {
  it.each([
    CANONICAL,
    CANONICAL.toUpperCase(),
    CANONICAL.replaceAll('-', ''),
    `{${CANONICAL}}`,
    `urn:uuid:${CANONICAL}`,
    `uuid:${CANONICAL}`,
    '4e8e-5957649f477b-9e5bf1f75b21c03c',
  ])('canonicalises %s', (text) => {
    expect(canonicalUuid(text)).toBe(CANONICAL);
  });

  it.each([
    '',
    'pony',
    CANONICAL.slice(1),
    `${CANONICAL}0`,
    CANONICAL.replace('4', 'g'),
    `${CANONICAL}\n`,
    '-'.repeat(36),
  ])('refuses %j', (text) => {
    expect(canonicalUuid(text)).toBeUndefined();
  });
});
