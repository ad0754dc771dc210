// The world text format: a drawing of resource providers is the fixture. Parsing ends in a neutral description, from
// which tests make graph rows, database rows or REST calls as they please. See README.md for the format.

import type { InventoryRecord } from '../../src/placement/domain/inventory';
import { INVENTORY_DEFAULTS } from '../../src/placement/domain/inventory';

interface WorldInventory extends InventoryRecord {
  readonly resourceClass: string;
  readonly used: number;
}

interface WorldAggregate {
  readonly name: string;
  readonly uuid: string;
}

export interface WorldProvider {
  readonly name: string;
  readonly uuid: string;
  readonly parent: string | null;
  readonly root: string;
  readonly inventories: readonly WorldInventory[];
  readonly traits: readonly string[];
  readonly aggregates: readonly WorldAggregate[];
}

/** Providers in the order of their lines; parents before children. */
export interface WorldDescription {
  readonly providers: readonly WorldProvider[];
}

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  SHARES: 'MISC_SHARES_VIA_AGGREGATE',
  SSD: 'STORAGE_DISK_SSD',
  HDD: 'STORAGE_DISK_HDD',
  VF: 'SRIOV_NET_VF',
};
const INVENTORY = /^([A-Z0-9_]+):(\d+)(?:\(([^)]*)\))?(?:\/(\d+))?$/;
const OPTIONS: Readonly<Record<string, keyof InventoryRecord>> = {
  reserved: 'reserved',
  min: 'minUnit',
  max: 'maxUnit',
  step: 'stepSize',
  ratio: 'allocationRatio',
};

/** Reads a drawing. Throws on anything it does not understand. */
export function parseWorld(text: string): WorldDescription {
  const providers: WorldProvider[] = [];
  const open: { readonly indent: number; readonly provider: WorldProvider }[] = [];
  for (const line of text.split('\n')) {
    const content = line.replace(/(^|\s)#.*$/, '').trimEnd();
    if (content.trim() === '') continue;
    const indent = content.length - content.trimStart().length;
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const provider = parseLine(content.trim(), open.at(-1)?.provider ?? null);
    if (providers.some((other) => other.name === provider.name)) throw new Error(`two providers ${provider.name}`);
    providers.push(provider);
    open.push({ indent, provider });
  }
  return { providers };
}

/** The uuid the drawing gives a provider of this name: the same in every world. */
export function providerUuid(name: string): string {
  return uuidOf('provider', name);
}

/** The uuid the drawing gives an aggregate of this name: the same in every world. */
export function aggregateUuid(name: string): string {
  return uuidOf('aggregate', name);
}

/** The full name of a trait or resource class the drawings abbreviate. */
export function unabbreviate(name: string): string {
  return ABBREVIATIONS[name] ?? name;
}

function parseLine(line: string, parent: WorldProvider | null): WorldProvider {
  const [name = '', ...words] = line
    .replace(/\{([^}]*)\}/g, (_, inner: string) => traitWord(inner))
    .trim()
    .split(/\s+/);
  const inventories: WorldInventory[] = [];
  const traits: string[] = [];
  const aggregates: WorldAggregate[] = [];
  for (const word of words) {
    if (word.startsWith('{')) traits.push(...split(word.slice(1, -1)).map(unabbreviate));
    else if (word.startsWith('@')) aggregates.push(...split(word.slice(1)).map(toAggregate));
    else inventories.push(parseInventory(word));
  }
  return {
    name,
    uuid: providerUuid(name),
    parent: parent?.name ?? null,
    root: parent?.root ?? name,
    inventories,
    traits,
    aggregates,
  };
}

function parseInventory(word: string): WorldInventory {
  const match = INVENTORY.exec(word);
  if (match === null) throw new Error(`not an inventory: ${word}`);
  const [, resourceClass = '', total = '', options = '', used = '0'] = match;
  const record: { -readonly [K in keyof InventoryRecord]: number } = { ...INVENTORY_DEFAULTS, total: Number(total) };
  for (const option of split(options)) {
    const [key = '', value = ''] = option.split('=');
    const field = OPTIONS[key];
    if (field === undefined || !Number.isFinite(Number(value))) throw new Error(`not an option: ${option} in ${word}`);
    record[field] = Number(value);
  }
  return { resourceClass: unabbreviate(resourceClass), ...record, used: Number(used) };
}

function toAggregate(name: string): WorldAggregate {
  return { name, uuid: aggregateUuid(name) };
}

function traitWord(inner: string): string {
  return ` {${split(inner).join()}} `;
}

function split(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '');
}

/** Readable where the name allows it, different for different names, and of a valid version 4 form. */
function uuidOf(kind: string, name: string): string {
  const hex = [1, 2, 3, 4].map((salt) => hash(`${kind}/${name}/${salt}`).toString(16).padStart(8, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}
