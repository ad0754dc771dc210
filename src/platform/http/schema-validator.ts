// Validates JSON bodies and query strings by annotated schemas; errors name the field and the violated rule.
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020';
import Ajv from 'ajv/dist/2020';
import type { ApiVersion, Feature } from '../microversion/api-version';
import type { SchemaNode } from '../microversion/versioned-schema';
import { eraOf, featuresOf, resolveSchema } from '../microversion/versioned-schema';
import { InvalidInput } from '../values/errors';
import { BODY_PREFIX, FIELD_RULES, fieldFault, notUuid, QUERY_PREFIX, shown } from '../values/field-fault';
import { TYPED_NAME } from '../values/names';
import { PRINTABLE } from '../values/printable';
import { isUuidLike } from '../values/uuid';

/** Half a surrogate pair has no UTF-8 form; a NUL ends the text in some drivers. */
const UNSTORABLE = /\p{Surrogate}|\0/u;

/** True for text that can be stored and sent again unchanged. */
export const isStorable = (text: string): boolean => !UNSTORABLE.test(text);

const ajv = new Ajv({
  strict: false,
  // A JSON number beyond the range of a double arrives as Infinity, which is invalid.
  strictNumbers: true,
  ownProperties: true,
  // Errors carry the invalid value.
  verbose: true,
  // Ajv would optimise the code of each schema, which takes half of the time of a compilation. V8 optimises it later.
  code: { optimize: false },
  formats: {
    /** 32 hex digits in any of the accepted spellings. */
    'uuid-like': { type: 'string', validate: isUuidLike },
    unicode: { type: 'string', validate: isStorable },
    'time-like': { type: 'string', validate: (text: string) => !Number.isNaN(Date.parse(text)) },
  },
});

/** Rules by format. */
const FORMATS: Readonly<Record<string, string>> = { 'uuid-like': FIELD_RULES.uuid, 'time-like': FIELD_RULES.time };

/** Rules by pattern. */
const PATTERNS: Readonly<Record<string, string>> = {
  [TYPED_NAME.source]: FIELD_RULES.name,
  [PRINTABLE.source]: FIELD_RULES.printable,
};

/** Schemas of bodies, which are compiled before the service listens. */
const ofBodies: { prepare(versions: readonly ApiVersion[]): void }[] = [];

/** A plain schema of a part of a body, compiled once. */
export class CompiledSchema {
  private compiled: ValidateFunction | undefined;

  constructor(private readonly schema: () => SchemaNode) {
    ofBodies.push(this);
  }

  /** The first fault in the value; undefined if it is valid. */
  faultIn(value: unknown): { readonly path: readonly string[]; readonly rule: string } | undefined {
    const validate = this.prepare();
    if (validate(value)) return undefined;
    const [error] = validate.errors ?? [];
    return error === undefined ? { path: [], rule: 'is not valid' } : { path: pathOf(error), rule: ruleOf(error) };
  }

  prepare(): ValidateFunction {
    return (this.compiled ??= ajv.compile(this.schema()));
  }
}

/** A schema with its history, compiled once per era. */
export class SchemaValidator<T> {
  /** Features at which the schema changes: its eras, for the conformance matrix. */
  readonly features: readonly Feature[];
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(
    readonly schema: SchemaNode,
    /** Start of a message, for example `JSON does not validate:`. */
    private readonly prefix: string,
  ) {
    this.features = featuresOf(schema);
  }

  /** Returns the value if the schema of this version accepts it; otherwise throws InvalidInput. */
  check(value: unknown, api: ApiVersion): T {
    const validate = this.forVersion(api);
    if (!validate(value)) throw new InvalidInput(`${this.prefix} ${describe(validate.errors?.[0])}`);
    return value as T;
  }

  /** Compiles every era. Each blocks the event loop, which is harmless before the service listens. */
  prepare(versions: readonly ApiVersion[]): void {
    for (const api of versions) this.forVersion(api);
  }

  private forVersion(api: ApiVersion): ValidateFunction {
    const era = eraOf(this.features, api);
    const known = this.compiled.get(era);
    if (known !== undefined) return known;
    const fresh = ajv.compile(resolveSchema(this.schema, api));
    this.compiled.set(era, fresh);
    return fresh;
  }
}

const pathOf = (error: ErrorObject): readonly string[] =>
  error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

function describe(error: ErrorObject | undefined): string {
  if (error === undefined) return fieldFault('', 'is not valid');
  const path = shown(pathOf(error).join('.'));
  return isAboutUuid(error) ? `'${path}': ${notUuid(String(error.data))}.` : fieldFault(path, ruleOf(error));
}

const isAboutUuid = ({ keyword, params }: ErrorObject): boolean =>
  keyword === 'format' && (params as Record<string, unknown>)['format'] === 'uuid-like';

function ruleOf(error: ErrorObject): string {
  const { propertyName } = error;
  return propertyName === undefined
    ? ruleOfValue(error)
    : `has the key '${shown(propertyName)}', which ${ruleOfValue(error)}`;
}

function ruleOfValue({ keyword, params, message = 'is not valid' }: ErrorObject): string {
  const given = params as Record<string, unknown>;
  const show = (key: string): string => shown(String(given[key]));
  const side = keyword.startsWith('min') ? 'least' : 'most';
  switch (keyword) {
    case 'required':
      return FIELD_RULES.required(show('missingProperty'));
    case 'additionalProperties':
      return FIELD_RULES.unknown(show('additionalProperty'));
    case 'type':
      return FIELD_RULES.type(show('type'));
    case 'format':
      return FORMATS[show('format')] ?? FIELD_RULES.text;
    case 'pattern':
      return PATTERNS[String(given['pattern'])] ?? `does not match the pattern ${show('pattern')}`;
    case 'minimum':
    case 'maximum':
      return FIELD_RULES.bound(show('comparison'), show('limit'));
    case 'minLength':
    case 'maxLength':
      return FIELD_RULES.characters(side, show('limit'));
    case 'minItems':
    case 'minProperties':
    case 'maxItems':
    case 'maxProperties':
      return FIELD_RULES.entries(side, show('limit'));
    case 'uniqueItems':
      return FIELD_RULES.twice;
    case 'enum':
      return FIELD_RULES.oneOf(given['allowedValues'] as unknown[]);
    default:
      return message;
  }
}

export function bodySchema<T>(schema: SchemaNode): SchemaValidator<T> {
  const validator = new SchemaValidator<T>(schema, BODY_PREFIX);
  ofBodies.push(validator);
  return validator;
}

/** Compiles the schemas of bodies before the first request; some take tens of milliseconds. */
export function prepareBodySchemas(versions: readonly ApiVersion[]): void {
  for (const validator of ofBodies) validator.prepare(versions);
}

/** Marks a repeatable parameter in the API document; only its last value is validated. */
export const REPEATED = 'x-repeated';

export function querySchema(schema: SchemaNode): SchemaValidator<Readonly<Record<string, string>>> {
  return new SchemaValidator(schema, QUERY_PREFIX);
}
