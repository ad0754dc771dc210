// Jest for every suite. swc turns TypeScript, and the packages that ship only ES modules, into CommonJS;
// it checks no types, `npm run typecheck` does.
const swcOptions = require('./test/support/jest/swc-options');

const esm = [
  '@nestjs/',
  // CommonJS, but for an import() of Node's http.
  '@opentelemetry/otlp-exporter-base/',
  'file-type/',
  'strtok3/',
  'token-types/',
  'uint8array-extras/',
  '@tokenizer/',
  '@borewit/',
  'cookie/',
];
const swc = (parser) => ['@swc/jest', { ...swcOptions(parser), sourceMaps: 'inline' }];

const shared = {
  rootDir: __dirname,
  testEnvironment: '<rootDir>/test/support/jest/shared-environment.js',
  runtime: '<rootDir>/test/support/jest/shared-runtime.js',
  transform: {
    '^.+\\.ts$': swc({ syntax: 'typescript', decorators: true }),
    '^.+\\.js$': swc({ syntax: 'ecmascript' }),
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esm.join('|')}))`],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/client/dist/'],
  moduleNameMapper: {
    // The command line names the compiled files of the modules that it loads at run time.
    '^(\\./(.*-commands?|printed-document))\\.js$': '$1',
    // The console's files import the client by its package name, as in the browser's build; here from its source.
    '^@berth/client$': '<rootDir>/client/src/index.ts',
  },
};

/** Builds that the suites of a layer need. */
const SETUPS = {
  e2e: { globalSetup: '<rootDir>/test/support/build-client.mjs' },
  console: { globalSetup: '<rootDir>/test/console/built-console.mjs' },
};
const layer = (displayName, testMatch) => ({
  ...shared,
  ...SETUPS[displayName],
  displayName,
  testMatch,
});

module.exports = {
  rootDir: __dirname,
  // A worker with a larger heap than this is replaced before the next file. Most of the heap is garbage of earlier files;
  // the modules, which all files share, take 100 MB. A new worker loads them again.
  workerIdleMemoryLimit: '400MB',
  testSequencer: '<rootDir>/test/support/jest/slow-first.js',
  // A hang is a failure, slowness is not: suites pass on a machine that is sixteen times slower, for its load.
  testTimeout: 300_000,
  projects: [
    layer('unit', [
      '<rootDir>/src/**/*.spec.ts',
      '<rootDir>/client/src/**/*.spec.ts',
      '<rootDir>/console/src/**/*.spec.ts',
      '<rootDir>/test/world/**/*.spec.ts',
      '<rootDir>/test/support/**/*.spec.ts',
    ]),
    layer('architecture', ['<rootDir>/test/architecture/**/*.spec.ts']),
    layer('database', ['<rootDir>/test/database/**/*.spec.ts']),
    layer('transfer', ['<rootDir>/test/transfer/**/*.spec.ts']),
    layer('conformance', ['<rootDir>/test/conformance/**/*.spec.ts']),
    layer('properties', ['<rootDir>/test/properties/**/*.spec.ts']),
    layer('e2e', ['<rootDir>/test/e2e/**/*.spec.ts']),
    layer('chapters', ['<rootDir>/test/chapters/**/*.spec.ts']),
    layer('nova', ['<rootDir>/test/nova/**/*.spec.ts']),
    layer('console', ['<rootDir>/test/console/**/*.spec.ts']),
  ],
};
