// Jest environment without a sandbox: test files of a worker run in its own global scope, so that they can share the
// modules that shared-runtime.js loads. Puts back what a file changes there. BERTH_TEST_CPU=FILE appends a line for each
// test file: its CPU seconds, those of the processes that it started and that ended, and its path.
const { appendFileSync, readFileSync } = require('node:fs');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** What Jest's framework keeps in the global scope: a file must not see what another one left. */
const OF_FRAMEWORK = new Set(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL', 'RETRY_TIMES']);

/** CPU seconds of ended processes that this one started: cutime and cstime of proc(5), in hundredths; 0 without it. */
function cpuOfChildren() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return 0;
  }
}

module.exports = class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  before = { env: { ...process.env }, exit: process.exit, console: globalThis.console, limit: Error.stackTraceLimit };

  cpu = process.cpuUsage();
  ofChildren = cpuOfChildren();

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
    const own = ((user + system) / 1e6).toFixed(2);
    const others = (cpuOfChildren() - this.ofChildren).toFixed(2);
    appendFileSync(file, `${own} ${others} ${this.testPath}\n`);
  }

  getVmContext() {
    return null;
  }
};
