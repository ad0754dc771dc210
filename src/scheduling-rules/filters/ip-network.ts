// IP addresses and networks: parsing and membership, for IPv4 and IPv6.

/** The groups of an address, most significant first: four bytes or eight 16-bit words. */
export interface IpAddress {
  readonly version: 4 | 6;
  readonly groups: readonly number[];
}

export interface IpNetwork extends IpAddress {
  readonly prefixLength: number;
}

const GROUP_BITS = { 4: 8, 6: 16 } as const;
const ADDRESS_BITS = { 4: 32, 6: 128 } as const;

/** Parses an address; null if it is invalid. */
export const parseAddress = (text: string): IpAddress | null =>
  text.includes(':') ? parseIpv6(text) : parseIpv4(text);

function parseIpv4(text: string): IpAddress | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) return null;
  return { version: 4, groups: parts.map(Number) };
}

function parseIpv6(text: string): IpAddress | null {
  const [head = '', tail, more] = text.split('::');
  if (more !== undefined) return null;
  const left = wordsOf(head, tail === undefined);
  const right = tail === undefined ? [] : wordsOf(tail, true);
  if (left === null || right === null) return null;
  const missing = 8 - left.length - right.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  return { version: 6, groups: [...left, ...Array.from({ length: missing }, () => 0), ...right] };
}

/** The words of one side of an IPv6 address; the last two can be written as an IPv4 address. */
function wordsOf(side: string, mayEndInIpv4: boolean): readonly number[] | null {
  if (side === '') return [];
  const parts = side.split(':');
  const last = parts.at(-1) ?? '';
  const embedded = mayEndInIpv4 && last.includes('.') ? parseIpv4(last) : null;
  const plain = embedded === null ? parts : parts.slice(0, -1);
  if (!plain.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return null;
  const [a = 0, b = 0, c = 0, d = 0] = embedded?.groups ?? [];
  return [...plain.map((part) => Number.parseInt(part, 16)), ...(embedded === null ? [] : [a * 256 + b, c * 256 + d])];
}

/** The network of an address and a prefix such as `/24` or `/255.255.255.0`; otherwise the problem with the prefix. */
export function networkOf(address: IpAddress, prefix: string): IpNetwork | { readonly problem: string } {
  if (!prefix.startsWith('/')) return { problem: `a prefix starts with a slash, '${prefix}' does not` };
  const text = prefix.slice(1);
  const prefixLength = /^\d{1,3}$/.test(text) ? Number(text) : lengthOfMask(text, address.version);
  if (prefixLength === null || prefixLength > ADDRESS_BITS[address.version]) {
    return { problem: `'${prefix}' is no prefix of an IPv${address.version} network` };
  }
  return { ...address, prefixLength };
}

/** The length of a netmask: ones, then zeros. */
function lengthOfMask(text: string, version: 4 | 6): number | null {
  const mask = parseAddress(text);
  if (mask?.version !== version) return null;
  const bits = mask.groups.map((group) => group.toString(2).padStart(GROUP_BITS[version], '0')).join('');
  return /^1*0*$/.test(bits) ? bits.replaceAll('0', '').length : null;
}

/** True if the address is in the network. An address of the other IP version never is. */
export function isInNetwork(address: IpAddress, network: IpNetwork): boolean {
  if (address.version !== network.version) return false;
  const width = GROUP_BITS[network.version];
  return network.groups.every((group, at) => {
    const bits = Math.min(Math.max(network.prefixLength - at * width, 0), width);
    return group >>> (width - bits) === (address.groups[at] ?? 0) >>> (width - bits);
  });
}
