// Which field a refusal names.

/** Matches a sentence on this field, on an entry of it, or on whatever lacks it or should not have it. */
export function naming(path: string, prefix = ''): RegExp {
  const [, holder, name = ''] = /^(?:(.*?)\.)?([^.]+(?::.*)?)$/.exec(path) ?? [];
  const where = holder === undefined ? 'the document' : `'${escaped(holder)}'`;
  const isItsHolder = `${where} (?:lacks the required|has the unknown) property '${escaped(name)}'\\.`;
  return new RegExp(`${prefix}(?:'${escaped(path)}(?:\\.\\d+)?' |${isItsHolder})`);
}

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
