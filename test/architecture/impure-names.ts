// What a file says that no pure one may: clocks, chance, timers, the process, and whatever leads to them.
import ts from 'typescript';

const IMPURE = new Set([
  'crypto',
  'fetch',
  'global',
  'globalThis',
  'performance',
  'process',
  'queueMicrotask',
  'require',
  'setImmediate',
  'setInterval',
  'setTimeout',
]);

/** Members that work out of their arguments alone. */
const PURE_OF_DATE = new Set(['parse', 'UTC']);

export function impureNamesIn(text: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !isMember(node) && isImpure(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true));
  return found;
}

/** The name of a member, or of something that is declared here. */
const isMember = (node: ts.Identifier): boolean =>
  !ts.isShorthandPropertyAssignment(node.parent) && (node.parent as { name?: ts.Node }).name === node;

function isImpure(node: ts.Identifier): boolean {
  const { parent } = node;
  const member = ts.isPropertyAccessExpression(parent) ? parent.name.text : undefined;
  if (node.text === 'Math') return member === undefined || member === 'random';
  if (node.text !== 'Date') return IMPURE.has(node.text);
  if (ts.isTypeReferenceNode(parent)) return false;
  if (ts.isNewExpression(parent)) return (parent.arguments ?? []).length === 0;
  return member === undefined || !PURE_OF_DATE.has(member);
}
