// Grammars of query parameters that several routes share: `resources`, `required` and `member_of`. Syntax only: the
// caller checks whether classes and traits exist.

import { InvalidInput } from '../../platform/values/errors';
import { QUERY_PREFIX } from '../../platform/values/field-fault';
import { canonicalUuid } from '../../platform/values/uuid';

const ANY_OF = 'in:';
const AMOUNT = /^\+?[0-9]+$/;

/** Features that the route's version has. */
interface GrammarFeatures {
  /** `!` marks a forbidden name. */
  readonly forbidden: boolean;
  /** `in:` starts a set of alternatives. */
  readonly anyOf: boolean;
}

export interface TraitExpressions {
  /** AND of any-of sets. */
  readonly required: readonly (readonly string[])[];
  readonly forbidden: readonly string[];
}

interface AggregateExpressions {
  /** AND of any-of sets of canonical uuids. */
  readonly memberOf: readonly (readonly string[])[];
  readonly forbidden: readonly string[];
}

/**
 * Parses `RC:amount[,RC:amount...]` to amounts by class; of a repeated class the last counts. An amount is a decimal
 * integer of at least 1, with optional blanks and plus sign. An amount above 2^53 - 1 becomes 2^53 - 1, which fits no
 * inventory.
 */
export function parseResources(text: string, parameter = 'resources'): ReadonlyMap<string, number> {
  const resources = new Map<string, number>();
  for (const element of text.split(',')) {
    const [resourceClass, amount, ...others] = element.split(':');
    if (resourceClass === undefined || resourceClass === '' || amount === undefined || others.length > 0) {
      throw new InvalidInput(
        `Badly formed '${parameter}' parameter. Expected resource_class:amount pairs separated by commas, ` +
          `got: ${show(text)}.`,
      );
    }
    resources.set(resourceClass, parseAmount(amount, parameter));
  }
  return resources;
}

/** All values of a `required` parameter, combined with AND. Blanks around names are ignored. */
export function parseRequired(
  texts: readonly string[],
  features: GrammarFeatures,
  parameter = 'required',
): TraitExpressions {
  const required: (readonly string[])[] = [];
  const forbidden: string[] = [];
  for (const text of texts) {
    const value = text.trim();
    if (value.startsWith(ANY_OF)) {
      if (!features.anyOf) throw new InvalidInput(`Invalid '${parameter}' parameter: 'in:' is not supported here.`);
      required.push(
        unique(
          value
            .slice(ANY_OF.length)
            .split(',')
            .map((name) => parseAlternative(name, text, parameter)),
        ),
      );
      continue;
    }
    for (const element of value.split(',')) {
      const name = element.trim();
      if (!name.startsWith('!')) {
        required.push([named(name, text, parameter)]);
        continue;
      }
      if (!features.forbidden) throw new InvalidInput(`Invalid '${parameter}' parameter: '!' is not supported here.`);
      forbidden.push(named(name.replace(/^!+/, '').trim(), text, parameter));
    }
  }
  return { required, forbidden: unique(forbidden) };
}

/** All values of a `member_of` parameter, combined with AND: `U`, `in:U,U`, and if supported `!U`, `!in:U,U`. */
export function parseMemberOf(
  texts: readonly string[],
  features: Pick<GrammarFeatures, 'forbidden'>,
  parameter = 'member_of',
): AggregateExpressions {
  const memberOf: (readonly string[])[] = [];
  const forbidden: string[] = [];
  for (const text of texts) {
    const isForbidden = text.startsWith('!');
    if (isForbidden && !features.forbidden) {
      throw new InvalidInput(`Invalid '${parameter}' parameter: '!' is not supported here.`);
    }
    const value = isForbidden ? text.slice(1) : text;
    const isAnyOf = value.startsWith(ANY_OF);
    if (!isAnyOf && value.includes(',')) {
      throw new InvalidInput(
        `Multiple values for '${parameter}' must be prefixed with 'in:' (any of them), got: ${show(text)}.`,
      );
    }
    const uuids = unique(
      (isAnyOf ? value.slice(ANY_OF.length).split(',') : [value]).map((uuid) => aggregate(uuid, parameter)),
    );
    if (isForbidden) forbidden.push(...uuids);
    else memberOf.push(uuids);
  }
  return { memberOf, forbidden: unique(forbidden) };
}

function parseAmount(text: string, parameter: string): number {
  const digits = text.trim();
  if (!AMOUNT.test(digits)) {
    throw new InvalidInput(`Invalid '${parameter}' parameter: the amount ${show(text)} is not an integer.`);
  }
  const amount = Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
  if (amount < 1) throw new InvalidInput(`Invalid '${parameter}' parameter: the amount must be at least 1, got 0.`);
  return amount;
}

function parseAlternative(element: string, text: string, parameter: string): string {
  const name = element.trim();
  if (name.startsWith('!')) {
    throw new InvalidInput(`Invalid '${parameter}' parameter: '!' is not allowed within 'in:', got: ${show(text)}.`);
  }
  return named(name, text, parameter);
}

function named(name: string, text: string, parameter: string): string {
  if (name === '' || name.includes('!') || name.includes(':')) {
    throw new InvalidInput(
      `${QUERY_PREFIX} expected '${parameter}' to be a comma-separated list of trait names, ` + `got: ${show(text)}.`,
    );
  }
  return name;
}

function aggregate(text: string, parameter: string): string {
  const uuid = canonicalUuid(text);
  if (uuid === undefined) {
    throw new InvalidInput(`Invalid '${parameter}' parameter: expected an aggregate uuid, got: ${show(text)}.`);
  }
  return uuid;
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}

/** Client text on one line and truncated. */
function show(text: string): string {
  const line = text.replace(/\p{Cc}+/gu, ' ');
  return `'${line.length > 200 ? `${line.slice(0, 200)}…` : line}'`;
}
