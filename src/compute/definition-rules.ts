// Checks flavors and images when they are written. A definition that every request would be refused for is refused
// here, with the name of the field. A definition that is probably a mistake is accepted with a warning.
import { Injectable } from '@nestjs/common';
import { ResourceClassesService } from '../placement/resource-classes/resource-classes.service';
import { TraitsService } from '../placement/traits/traits.service';
import type { SqlReader } from '../platform/database/sql';
import { problemsOfFlavor } from '../scheduling-rules/lint/lint-flavor';
import { problemsOfImage } from '../scheduling-rules/lint/lint-image';
import type { LintProblem } from '../scheduling-rules/lint/lint-problem';
import type { Flavor, Image } from '../scheduling-rules/request-spec/request-spec';
import { RegistriesConfig } from './registries.config';
import { invalidField } from './registry-refusals';

export interface Warning {
  /** Path of the field in the document that the client sent. */
  readonly field: string;
  readonly why: string;
}

/** Matches a key that requests a resource class or a trait. */
const PLACEMENT_KEY = /^(resources|trait)[^:]*:(.+)$/;

@Injectable()
export class DefinitionRules {
  constructor(
    private readonly resourceClasses: ResourceClassesService,
    private readonly traits: TraitsService,
    private readonly config: RegistriesConfig,
  ) {}

  /** Throws invalid_request for the first error; returns warnings for suspicious definitions. */
  async checkFlavor(sql: SqlReader, flavor: Flavor): Promise<readonly Warning[]> {
    const warnings = judged(problemsOfFlavor(flavor, this.config), 'flavor.');
    return [...warnings, ...(await this.unknownNames(sql, Object.keys(flavor.extraSpecs), 'extra_specs'))];
  }

  /** Same as `checkFlavor`, for an image. */
  async checkImage(sql: SqlReader, image: Image): Promise<readonly Warning[]> {
    const warnings = judged(problemsOfImage(image), 'image.');
    return [...warnings, ...(await this.unknownNames(sql, Object.keys(image.properties), 'properties'))];
  }

  /** Warnings for missing resource classes and traits: a provider can add them before the first request needs them. */
  private async unknownNames(sql: SqlReader, keys: readonly string[], path: string): Promise<readonly Warning[]> {
    const named = keys.flatMap((key) => {
      const [, kind, name] = PLACEMENT_KEY.exec(key) ?? [];
      return kind === undefined || name === undefined ? [] : [{ key, kind, name }];
    });
    const known = {
      resources: await this.resourceClasses.existing(sql, names(named, 'resources')),
      trait: new Set((await this.traits.existing(sql, names(named, 'trait'))).map((trait) => trait.name)),
    };
    return named.flatMap(({ key, kind, name }) => {
      if (known[kind === 'trait' ? 'trait' : 'resources'].has(name)) return [];
      const what = kind === 'trait' ? 'trait' : 'resource class';
      return [{ field: `${path}.${key}`, why: `there is no ${what} ${name} yet; requests are refused until there is` }];
    });
  }
}

const names = (
  named: readonly { readonly kind: string; readonly name: string }[],
  kind: 'resources' | 'trait',
): readonly string[] => [...new Set(named.filter((each) => each.kind === kind).map((each) => each.name))];

function judged(problems: readonly LintProblem[], prefix: string): readonly Warning[] {
  const shown = (field: string): string => (field.startsWith(prefix) ? field.slice(prefix.length) : field);
  const error = problems.find(({ severity }) => severity === 'error');
  if (error !== undefined) throw invalidField(shown(error.field), error.why);
  return problems.map(({ field, why }) => ({ field: shown(field), why }));
}
