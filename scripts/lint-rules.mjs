// Lint rules that oxlint does not have, in the form of an ESLint plugin.

/** Readers search a literal for a single member. */
const noSpreadLiteral = {
  create: (context) => ({
    ':matches(ObjectExpression > SpreadElement > ObjectExpression, ArrayExpression > SpreadElement > ArrayExpression)':
      (node) => context.report({ node, message: 'Write the members of this literal in the one around it.' }),
  }),
};

const noAccessorLiteral = {
  create: (context) => ({
    "ObjectExpression > Property[kind='get']": (node) =>
      context.report({
        node,
        message: 'V8 keeps a literal with an accessor as a dictionary, which every look at it pays for: use a class.',
      }),
  }),
};

/**
 * An import of names that stand for types alone is an `import type`. In a file with decorators the compiler writes the
 * types of parameters into the output (`emitDecoratorMetadata`), where Nest reads them: there the rule says nothing.
 */
const typeImports = {
  create(context) {
    const declarations = [];
    let hasDecorators = false;
    return {
      Decorator: () => void (hasDecorators = true),
      ImportDeclaration: (node) => void declarations.push(node),
      'Program:exit'() {
        if (hasDecorators) return;
        for (const node of declarations) {
          if (node.importKind === 'type') continue;
          for (const specifier of node.specifiers) {
            if (specifier.importKind === 'type') continue;
            const [variable] = context.sourceCode.getDeclaredVariables(specifier);
            const isType = variable.references.length > 0 && variable.references.every((use) => use.isTypeReference);
            if (isType)
              context.report({ node: specifier, message: `Only types use ${variable.name}: \`import type\`.` });
          }
        }
      },
    };
  },
};

export default {
  meta: { name: 'berth' },
  rules: {
    'no-spread-literal': noSpreadLiteral,
    'no-accessor-literal': noAccessorLiteral,
    'type-imports': typeImports,
  },
};
