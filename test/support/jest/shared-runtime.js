// Jest runtime that loads modules by Node's own `require`, once for all test files of a worker. Jest's own sandbox per
// file takes twice as long: 64 suites (filters, inventories, values, config, two of e2e) take 11 s of CPU with this
// runtime and 24 s without. Test files and their helpers outside test/support are loaded again for each file, because
// they can register hooks and keep state. A file with the docblock `@jest-environment node` gets a sandbox: `jest.mock`
// needs one.
const Module = require('node:module');
const { join, sep } = require('node:path');
const { default: JestRuntime } = require('jest-runtime');
const SharedEnvironment = require('./shared-environment');
const swcOptions = require('./swc-options');
const { installTypeScript, sourceMaps } = require('./typescript');

/** The `moduleNameMapper` of the project whose file runs: pairs of a pattern and its replacement. */
let names = [];
const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function resolve(request, ...rest) {
  const [pattern, replacement] = names.find(([each]) => each.test(request)) ?? [];
  return resolveFilename.call(this, pattern === undefined ? request : request.replace(pattern, replacement), ...rest);
};

module.exports = class SharedRuntime extends JestRuntime {
  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    this.isShared = environment instanceof SharedEnvironment;
    if (!this.isShared) return;
    installTypeScript(swcOptions({ syntax: 'typescript', decorators: true }));
    names = config.moduleNameMapper.map(([pattern, replacement]) => [new RegExp(pattern), replacement]);
    forgetTests(join(config.rootDir, 'test', sep), join(config.rootDir, 'test', 'support', sep));
    environment.global.jest = {
      ...this.jestGlobals.jestObjectFor(this._testPath),
      mock: refuse,
      isolateModules: refuse,
      resetModules: refuse,
    };
  }

  requireModule(from, name, ...rest) {
    return this.isShared ? Module.createRequire(from)(name ?? from) : super.requireModule(from, name, ...rest);
  }

  /** Jest loads its test framework with this: each file starts with a new one. */
  requireInternalModule(from, name) {
    if (!this.isShared) return super.requireInternalModule(from, name);
    delete require.cache[name ?? from];
    return Module.createRequire(from)(name ?? from);
  }

  getSourceMaps() {
    return this.isShared ? sourceMaps : super.getSourceMaps();
  }
};

function forgetTests(tests, support) {
  const isTest = (path) => path.startsWith(tests) && !path.startsWith(support);
  for (const path of Object.keys(require.cache)) {
    if (isTest(path) || /\.(spec|fixture)\.ts$/.test(path)) delete require.cache[path];
  }
}

function refuse() {
  throw new Error('This file shares modules with others. Put `@jest-environment node` into a docblock at its top.');
}
