// Numbers with their nouns.

import type { Obstacle } from './obstacles';

export const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

/** `2 hosts (cn1, cn2) have room`. */
export const withHave = (hosts: number, what: string, names: readonly string[] = []): string =>
  `${count(hosts, 'host')}${namesOf(names)} ${hosts === 1 ? 'has' : 'have'} ${what}`;

/** `2 hosts (cn1, cn2) lack trait X`. */
export const obstacleText = ({ hosts, names, phrase }: Pick<Obstacle, 'hosts' | 'names' | 'phrase'>): string =>
  `${count(hosts, 'host')}${namesOf(names)} ${phrase}`;

const namesOf = (names: readonly string[]): string => (names.length === 0 ? '' : ` (${names.join(', ')})`);
