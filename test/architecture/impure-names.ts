// Names that a pure file must not use: clocks, randomness, timers, the process, and anything that leads to them.
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

/** Members that depend only on their arguments. */
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

/** The name of a member, or of a local declaration. */
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
