// Caches the results of pure functions by the identity of their argument.

/** A result is kept as long as its argument is reachable. `compute` must depend on nothing but its argument. */
export function memoize<Key extends object, Value extends NonNullable<unknown>>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = compute(key)));
    return value;
  };
}
