/**
 * An object whose properties are made when they are first read; its keys are there at once, in the order of `makers`. For tables of which
 * a program uses little.
 */
export function lazyRecord<K extends string, V>(makers: Readonly<Record<K, () => V>>): { readonly [P in K]: V } {
  const record = {};
  for (const [key, make] of Object.entries<() => V>(makers)) {
    Object.defineProperty(record, key, {
      enumerable: true,
      configurable: true,
      get: () => {
        const value = make();
        Object.defineProperty(record, key, { enumerable: true, configurable: false, writable: false, value });
        return value;
      },
    });
  }
  // Safe: every key of makers got a property.
  return record as { readonly [P in K]: V };
}
