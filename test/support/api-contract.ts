// Validates requests and answers of a service against its API document: every answer is declared and matches its
// schema; every successful request matches its schema.
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import Ajv from 'ajv/dist/2020';
import { MICROVERSIONS } from '../../src/placement/microversions';
import { ANY_SUCCESS } from '../../src/platform/http/declared-routes';
import { isStorable } from '../../src/platform/http/schema-validator';
import type { Surface } from '../../src/platform/http/surface';
import { surfaceOf } from '../../src/platform/http/surface';
import type { ApiVersion } from '../../src/platform/microversion/api-version';
import { ApiDocument as PresentedDocument } from '../../src/platform/openapi/document';
import { ApiDocuments } from '../../src/platform/openapi/documents';
import { REFUSAL_NAMES } from '../../src/platform/openapi/refusals';
import { isUuidLike } from '../../src/platform/values/uuid';
import type { TestRequest, TestResponse } from './service';

interface Content {
  readonly [mediaType: string]: { readonly schema: object };
}

interface DocumentedResponse {
  readonly content?: Content;
  readonly headers?: object;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const ajv = new Ajv({
  strict: false,
  formats: {
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    'uuid-like': { type: 'string', validate: isUuidLike },
    'time-like': { type: 'string', validate: (text: string) => !Number.isNaN(Date.parse(text)) },
    unicode: { type: 'string', validate: isStorable },
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
    uri: true,
  },
});

/** Cached by the schema's text, because most schemas are shared between versions. */
const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

/** The first mismatch of the value; undefined if it matches. */
function mismatchOf(schemaText: string, value: unknown): string | undefined {
  const validate = compiled.get(schemaText) ?? ajv.compile(JSON.parse(schemaText) as object);
  compiled.set(schemaText, validate);
  return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: '' });
}

/** Longer answers come from other suites and have the shape of short ones. */
const JUDGED_CHARACTERS = 1_000_000;

const RECURSIVE_LEVELS = 3;

const known = new Map<string, DocumentInUse>();

/** The document of one version, with its compiled parts. */
class DocumentInUse {
  private readonly texts = new Map<object, string>();
  private readonly templates: readonly { readonly path: string; readonly matches: RegExp }[];

  constructor(readonly document: ApiDocument) {
    const variables = (path: string): number => path.split('{').length;
    this.templates = Object.keys(document.paths)
      .sort((one, other) => variables(one) - variables(other))
      .map((path) => ({
        path,
        matches: new RegExp(`^${path.replace(/\{path\}$/, '.*').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      }));
  }

  operation(method: string, path: string): DocumentedOperation | undefined {
    const found = this.templates.find(({ matches }) => matches.test(path));
    return found && this.document.paths[found.path]?.[method.toLowerCase()];
  }

  response(operation: DocumentedOperation, status: number): DocumentedResponse | undefined {
    const isOwn = status < 400 || status in REFUSAL_NAMES;
    const declared = operation.responses[status] ?? (isOwn ? undefined : operation.responses['default']);
    return declared && this.resolved(declared);
  }

  mismatch(schema: object, value: unknown): string | undefined {
    const text = this.texts.get(schema) ?? JSON.stringify(this.inlined(schema));
    this.texts.set(schema, text);
    return mismatchOf(text, value);
  }

  /** The schema without references; a recursive one is inlined to a limited depth. */
  inlined(node: unknown, within: readonly object[] = []): unknown {
    if (Array.isArray(node)) return node.map((each) => this.inlined(each, within));
    if (typeof node !== 'object' || node === null) return node;
    const resolved = this.resolved(node);
    if (resolved !== node) {
      const isDeep = within.filter((each) => each === resolved).length >= RECURSIVE_LEVELS;
      return isDeep ? {} : this.inlined(resolved, [...within, resolved]);
    }
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, this.inlined(value, within)]));
  }

  private resolved(node: object): object {
    const reference = (node as { readonly $ref?: string }).$ref;
    if (reference === undefined) return node;
    const at = reference.split('/').slice(1);
    return at.reduce<unknown>((inside, key) => (inside as Record<string, unknown>)[key], this.document) as object;
  }
}

export class ApiContract {
  private readonly documents: ApiDocuments;

  constructor(app: NestFastifyApplication) {
    this.documents = app.get(ApiDocuments);
  }

  of(api: ApiVersion): DocumentInUse {
    const { urlPrefix, mounts } = this.documents.settings;
    const key = [urlPrefix, ...mounts.map(({ path }) => path), api.text].join(' ');
    let found = known.get(key);
    if (found === undefined) {
      const made = new PresentedDocument(api, this.documents.settings);
      for (const route of this.documents.routes) made.add(route);
      found = new DocumentInUse(JSON.parse(JSON.stringify(made.document)) as ApiDocument);
      known.set(key, found);
    }
    return found;
  }

  /** Throws with all mismatches. */
  check(request: TestRequest, response: TestResponse): void {
    const problems = this.problems(request, response);
    if (problems.length === 0) return;
    const { method = 'GET', path } = request;
    throw new Error(
      `the API document says otherwise: ${method} ${path}: ${response.status} ${response.text.slice(0, 1_000)}\n` +
        problems.map((problem) => `  - ${problem}`).join('\n'),
    );
  }

  problems({ method = 'GET', path, body }: TestRequest, response: TestResponse): readonly string[] {
    if (method === 'HEAD' || method === 'OPTIONS') return [];
    const { status } = response;
    const sent = path.split('?', 1)[0] ?? '';
    const surface = surfaceOf(sent, this.documents.settings.mounts);
    const document = this.of(versionOf(response, surface));
    // Clients of other services request versions with a trailing slash.
    const operation = document.operation(method, surface === 'practice_cloud' ? sent.replace(/\/$/, '') : sent);
    if (operation === undefined) {
      return status < 300 && !this.isRoot(sent) ? ['there is no such operation'] : [];
    }
    if (ANY_SUCCESS in operation.responses) return [];
    const declared = document.response(operation, status);
    if (declared === undefined) return [`${operation.operationId} declares no status ${status}`];
    return [
      ...headProblems(declared, response),
      ...bodyProblems(document, declared, response),
      ...(status < 300 ? requestProblems(document, operation, body) : []),
    ];
  }

  /** The root has several spellings. */
  private isRoot(path: string): boolean {
    const { urlPrefix } = this.documents.settings;
    return path.startsWith(urlPrefix) && /^\/{0,2}$/.test(path.slice(urlPrefix.length));
  }
}

/** The version named by the answer; otherwise the oldest, or any for surfaces without versions. */
function versionOf({ headers }: TestResponse, surface: Surface): ApiVersion {
  const [, text = ''] = String(headers['openstack-api-version'] ?? '').split(' ');
  return MICROVERSIONS.find(text) ?? (surface === 'placement' ? MICROVERSIONS.oldest : MICROVERSIONS.newest);
}

function headProblems(declared: DocumentedResponse, { headers }: TestResponse): readonly string[] {
  return Object.keys(declared.headers ?? {}).flatMap((name) =>
    headers[name.toLowerCase()] === undefined ? [`the header ${name} is missing`] : [],
  );
}

function bodyProblems(
  document: DocumentInUse,
  { content }: DocumentedResponse,
  { status, headers, text, json }: TestResponse,
): readonly string[] {
  if (text === '') return isEmptyAllowed(document, content) ? [] : ['the body is missing'];
  const mediaType = String(headers['content-type']).split(';', 1)[0] ?? '';
  const schema = content?.[mediaType]?.schema;
  // Refusals can be HTML or plain text, as the client accepts.
  if (schema === undefined) {
    return status >= 400 && mediaType !== 'application/json' ? [] : [`a body of type ${mediaType} is not declared`];
  }
  if (mediaType !== 'application/json' || text.length > JUDGED_CHARACTERS) return [];
  const mismatch = document.mismatch(schema, json);
  return mismatch === undefined ? [] : [`answer: ${mismatch}`];
}

/** No body, or one of several bodies of the answer that is null. */
const isEmptyAllowed = (document: DocumentInUse, content: DocumentedResponse['content']): boolean => {
  const schema = content?.['application/json']?.schema;
  return content === undefined || (schema !== undefined && document.mismatch(schema, null) === undefined);
};

function requestProblems(document: DocumentInUse, operation: DocumentedOperation, body: unknown): readonly string[] {
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (schema === undefined || typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return [];
  const mismatch = document.mismatch(schema, JSON.parse(JSON.stringify(body)));
  return mismatch === undefined ? [] : [`request: ${mismatch}`];
}
