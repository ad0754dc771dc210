import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import importSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';

/** Readers search a literal for a single member. */
const NO_SPREAD_LITERAL = {
  selector:
    ':matches(ObjectExpression > SpreadElement > ObjectExpression, ArrayExpression > SpreadElement > ArrayExpression)',
  message: 'Write the members of this literal in the one around it.',
};

/** Side effects, Node's modules, packages, then files from the farthest folder to the nearest; no blank lines. */
const IMPORT_ORDER = { groups: [['^\\u0000', '^node:', '^@?\\w', '^\\.\\./', '^\\./']] };

const pure = ['src/platform/values/**', 'src/placement/candidate-search/**', 'src/scheduling-rules/**'];

export default tseslint.config(
  { ignores: ['**/dist/**', 'client/src/generated/**', 'coverage/**', 'node_modules/**', 'data/**'] },
  js.configs.recommended,
  {
    plugins: { 'import-sort': importSort },
    rules: {
      'no-restricted-syntax': ['error', NO_SPREAD_LITERAL],
      'import-sort/imports': ['error', IMPORT_ORDER],
      'arrow-body-style': 'error',
      'object-shorthand': 'error',
      'prefer-arrow-callback': ['error', { allowNamedFunctions: true }],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts', '**/*.fixture.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        NO_SPREAD_LITERAL,
        {
          selector: "ObjectExpression > Property[kind='get']",
          message: 'V8 keeps a literal with an accessor as a dictionary, which every look at it pays for: use a class.',
        },
      ],
    },
  },
  {
    // The console: React's own rules, and nothing of the service but its client.
    files: ['console/src/**'],
    extends: [reactHooks.configs.flat.recommended],
    rules: {
      // Speaks of React's compiler, which does not run here.
      'react-hooks/incompatible-library': 'off',
      'no-restricted-imports': ['error', { patterns: ['**/../src/**', 'node:*'] }],
    },
  },
  {
    // Pure folders: all input comes in as arguments.
    files: pure,
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: ['node:*', '@nestjs/*', 'typeorm', 'fastify', 'mysql2', 'better-sqlite3', 'pino'] },
      ],
      'no-restricted-globals': ['error', 'process', 'setTimeout', 'setInterval'],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'The clock comes in as an argument.' },
        { object: 'Math', property: 'random', message: 'Randomness comes in as an argument.' },
      ],
    },
  },
  {
    files: ['test/**/*.ts', '**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // Answers of the service are looked into, not modelled.
      '@typescript-eslint/no-explicit-any': 'off',
    },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        module: 'writable',
        require: 'readonly',
        __dirname: 'readonly',
        URL: 'readonly',
        fetch: 'readonly',
        setTimeout: 'readonly',
      },
    },
    rules: {
      'no-undef': 'off',
      'no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-require-imports': 'off',
    },
  },
);
