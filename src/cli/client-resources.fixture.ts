// Generates the resources of the client: a function for each route that declares one, with the parameters from the
// newest API document. A test compares the output with the file in client/src/generated.
import type { DeclaredRoute } from '../platform/http/declared-routes';

interface Tree {
  [name: string]: Tree | readonly [summary: string, call: string];
}

interface DocumentedOperation {
  readonly requestBody?: object;
  readonly parameters?: readonly { readonly in: string }[];
}

/** The part of the API document that this generator reads. */
interface ApiPaths {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

const HEADER = `// Made of what the routes declare; do not edit it. \`npm run docs\` makes it again.
import type { Calls } from '../calls.ts';
import * as handWritten from '../hand-written.ts';
`;

/** The complete TypeScript file. */
export function renderClientResources(routes: readonly DeclaredRoute[], { paths }: ApiPaths): string {
  const tree: Tree = {};
  for (const route of routes) {
    if (route.client === undefined) continue;
    const groups = route.client.name.split('.');
    const name = groups.pop() ?? '';
    const group = groups.reduce((inside, each) => (inside[each] ??= {}) as Tree, tree);
    group[name] = [route.operation.summary, callOf(route, paths[route.path]?.[route.method.toLowerCase()])];
  }
  const resources = Object.entries(tree);
  return [
    HEADER,
    'export class Resources {',
    ...resources.map(([name]) => `  readonly ${name};`),
    '',
    '  constructor(calls: Calls) {',
    ...resources.map(([name, group]) => `    this.${name} = ${textOf(group, '    ')};`),
    '  }',
    '}\n',
  ].join('\n');
}

function callOf({ client, operation, method, path, audit }: DeclaredRoute, documented?: DocumentedOperation): string {
  if (client?.isHandWritten) return `handWritten.${operation.id}(calls)`;
  const verb = `'${method.toLowerCase()}', `;
  const usual = client?.isRepeatable || audit === null ? ', { repeatable: true }' : '';
  if (documented?.requestBody !== undefined) return `calls.write(${verb}'${path}'${usual})`;
  const hasQuery = documented?.parameters?.some((parameter) => parameter.in === 'query') ?? false;
  return hasQuery ? `calls.list('${path}')` : `calls.plain(${verb}'${path}'${usual})`;
}

function textOf(member: Tree[string], indent: string): string {
  if (Array.isArray(member)) return member[1] as string;
  const lines = Object.entries(member as Tree).flatMap(([name, each]) => [
    ...(Array.isArray(each) ? [`${indent}  /** ${each[0]} */`] : []),
    `${indent}  ${name}: ${textOf(each, `${indent}  `)},`,
  ]);
  return `{\n${lines.join('\n')}\n${indent}}`;
}
