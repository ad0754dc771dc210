// Matches error messages by the field that they name.

/** Matches a message about this field, about an entry of it, or about an object that lacks it or must not have it. */
export function naming(path: string, prefix = ''): RegExp {
  const [, holder, name = ''] = /^(?:(.*?)\.)?([^.]+(?::.*)?)$/.exec(path) ?? [];
  const where = holder === undefined ? 'the document' : `'${escaped(holder)}'`;
  const isItsHolder = `${where} (?:lacks the required|has the unknown) property '${escaped(name)}'\\.`;
  return new RegExp(`${prefix}(?:'${escaped(path)}(?:\\.\\d+)?' |${isItsHolder})`);
}

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
