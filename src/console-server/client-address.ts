// The key of a client for the login rate limit: the address that a proxy or the connection reports, without its port.
// For IPv6 it is the /64 network, because one machine can use all addresses of it. Pure.
import { isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
const WITH_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d+$/;
const IN_BRACKETS = /^\[([^\]]*)\]/;
const CHARACTERS_MAX = 100;
const GROUPS = 8;
const GROUPS_OF_NETWORK = 4;

export function countedAddress(address: string): string {
  const bare = IN_BRACKETS.exec(address)?.[1] ?? WITH_PORT.exec(address)?.[1] ?? address;
  const mapped = MAPPED.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  return isIPv6(bare) ? networkOf(bare) : bare.slice(0, CHARACTERS_MAX);
}

function networkOf(address: string): string {
  const [text = ''] = address.split('%', 1);
  const [head, tail] = text.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const [before = [], groupsAfter = []] = [head, tail];
  const zeros = Array<string>(Math.max(0, GROUPS - before.length - groupsAfter.length)).fill('0');
  const groups = [...before, ...zeros, ...groupsAfter].slice(0, GROUPS_OF_NETWORK);
  return `${groups.map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`;
}
