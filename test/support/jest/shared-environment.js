// Jest environment without a sandbox: test files of a worker run in its own global scope, so that they can share the
// modules that shared-runtime.js loads. Puts back what a file changes there. BERTH_TEST_CPU=FILE appends the CPU seconds of
// each test file to a file.
const { appendFileSync } = require('node:fs');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** What Jest's framework keeps in the global scope: a file must not see what another one left. */
const OF_FRAMEWORK = new Set(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL', 'RETRY_TIMES']);

module.exports = class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  before = { env: { ...process.env }, exit: process.exit, console: globalThis.console, limit: Error.stackTraceLimit };

  cpu = process.cpuUsage();

  constructor({ projectConfig }, { testPath }) {
    this.testPath = testPath;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.reportCpu();
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    const { env, exit, console, limit } = this.before;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    process.exit = exit;
    globalThis.console = console;
    Error.stackTraceLimit = limit;
    for (const name of Object.getOwnPropertySymbols(globalThis)) {
      if (OF_FRAMEWORK.has(name.description)) delete globalThis[name];
    }
  }

  /** CPU time shows what a file costs on a busy machine too. */
  reportCpu() {
    const file = process.env.BERTH_TEST_CPU;
    if (file === undefined) return;
    const { user, system } = process.cpuUsage(this.cpu);
    appendFileSync(file, `${((user + system) / 1e6).toFixed(2)} ${this.testPath}\n`);
  }

  getVmContext() {
    return null;
  }
};
