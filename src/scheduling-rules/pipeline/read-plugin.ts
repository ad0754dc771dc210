// Reads the exports of a plug-in module. Plain objects of the documented shape are accepted, so a plug-in needs no
// import from the product. A part that could never run stops the start.

import type { OptionDeclarations } from '../../platform/values/options';
import type { OptionDeclaration } from '../../platform/values/options';
import { problemOf } from '../../platform/values/options';
import type { Driver } from './define-driver';
import { defineDriver } from './define-driver';
import type { FilterDefinition } from './define-filter';
import { defineFilter } from './define-filter';
import type { PrefilterDefinition } from './define-prefilter';
import { definePrefilter } from './define-prefilter';
import type { WeigherDefinition } from './define-weigher';
import { defineWeigher } from './define-weigher';
import type { SchedulerExtension } from './registry';
import { SchedulerBootError } from './registry';
import type { Templates } from './verdict';

const KINDS = ['filters', 'weighers', 'prefilters', 'drivers'] as const;
const OPTION_KINDS: readonly string[] = ['integer', 'number', 'boolean', 'text', 'list'];
/** Names that module systems add. */
const INTEROP = new Set(['default', '__esModule', 'module.exports']);

type Loaded = Readonly<Record<string, unknown>>;

/** The parts of a module. An unknown export, or a part without the functions of its kind, stops the start. */
export function readPlugin(source: string, loaded: Loaded): SchedulerExtension {
  const inner = loaded['default'];
  const bag: Loaded = isObject(inner) ? { ...inner, ...loaded } : loaded;
  const names = Object.keys(bag).filter((name) => !INTEROP.has(name));
  const unknown = names.filter((name) => !(KINDS as readonly string[]).includes(name));
  if (unknown.length > 0 || names.length === 0) {
    const found = unknown.length > 0 ? unknown.join(', ') : 'nothing';
    throw new SchedulerBootError(`plug-in ${source} exports ${found}; it may export ${KINDS.join(', ')}`);
  }
  const parts = (kind: (typeof KINDS)[number], functions: readonly string[]): readonly Loaded[] =>
    listOf(source, kind, bag[kind]).map((part) => checked(`plug-in ${source}: ${kind}`, part, functions));
  return {
    source,
    exports: {
      filters: parts('filters', ['check']).map((part) =>
        defineFilter(
          withTemplates(source, part, 'rejections') as unknown as FilterDefinition<OptionDeclarations, Templates>,
        ),
      ),
      weighers: parts('weighers', ['weigh', 'multiplier']).map((part) =>
        defineWeigher(part as unknown as WeigherDefinition<OptionDeclarations>),
      ),
      prefilters: parts('prefilters', ['apply']).map((part) =>
        definePrefilter(part as unknown as PrefilterDefinition<OptionDeclarations, Templates>),
      ),
      drivers: parts('drivers', ['rank']).map((part) => defineDriver(part as unknown as Driver)),
    },
  };
}

function listOf(source: string, kind: string, value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new SchedulerBootError(`plug-in ${source}: ${kind} must be a list`);
}

function checked(where: string, part: unknown, functions: readonly string[]): Loaded {
  if (!isObject(part)) throw new SchedulerBootError(`${where} holds something that is no object`);
  const name = part['name'];
  if (typeof name !== 'string' || name === '') throw new SchedulerBootError(`${where} holds a part without a name`);
  if (typeof part['summary'] !== 'string') throw new SchedulerBootError(`${where}: ${name} has no summary`);
  for (const needed of functions) {
    if (typeof part[needed] !== 'function') throw new SchedulerBootError(`${where}: ${name} has no ${needed}()`);
  }
  for (const [option, declaration] of Object.entries(part['options'] ?? {})) {
    const problem = declarationProblem(declaration);
    if (problem !== null) throw new SchedulerBootError(`${where}: ${name}: option ${option} ${problem}`);
  }
  return part;
}

function declarationProblem(declaration: unknown): string | null {
  if (!isObject(declaration) || !OPTION_KINDS.includes(String(declaration['kind']))) {
    return `must have a kind: ${OPTION_KINDS.join(', ')}`;
  }
  const given = declaration as unknown as OptionDeclaration;
  if (given.default === null) return given.kind === 'text' ? null : 'has a default that must not be null';
  const problem = problemOf(given, given.default);
  return problem === null ? null : `has a default that ${problem}`;
}

function withTemplates(source: string, part: Loaded, field: string): Loaded {
  const templates = part[field];
  if (isObject(templates) && Object.values(templates).every((text) => typeof text === 'string')) return part;
  throw new SchedulerBootError(`plug-in ${source}: ${String(part['name'])} has no ${field}: code → sentence`);
}

const isObject = (value: unknown): value is Loaded => typeof value === 'object' && value !== null;
