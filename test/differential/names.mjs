// Unique names: every cloud derives its own from its tag of eight hexadecimal digits.

/** No cloud has it. */
export const UNKNOWN = '99999999-9999-4999-8999-999999999999';

export function namesFor(tag) {
  return {
    uuid: (kind, number) => `${kind.padEnd(8, '0')}-0000-4000-8000-${tag}${String(number).padStart(4, '0')}`,
    custom: (name) => `CUSTOM_${tag.toUpperCase()}_${name}`,
    name: (name) => `${name} ${tag}`,
  };
}
