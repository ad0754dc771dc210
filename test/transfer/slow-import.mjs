// An import in a separate process. It prints a line for each page that it reads and stops in the middle without an end.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const require = createRequire(import.meta.url);

require.extensions['.ts'] = (module, path) => {
  const { code } = transformSync(readFileSync(path, 'utf8'), {
    swcrc: false,
    filename: path,
    module: { type: 'commonjs' },
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      keepClassNames: true,
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    },
  });
  module._compile(code, path);
};
require('reflect-metadata');
const source = fileURLToPath(new URL('../../src', import.meta.url));
const { importCommand } = require(`${source}/transfer/import-command.ts`);
const { loadConfig } = require(`${source}/platform/config/load-config.ts`);
const { OPTION_TABLE } = require(`${source}/options.ts`);
const { ReferenceReader } = require(`${source}/transfer/reference/reader.ts`);

const PAGES = 4;

let pages = 0;
const read = ReferenceReader.prototype.consumersAfter;
ReferenceReader.prototype.consumersAfter = async function consumersAfter(...args) {
  process.stdout.write(`page ${pages}\n`);
  pages += 1;
  // The test kills the process here.
  if (pages > PAGES) await new Promise(() => setInterval(() => undefined, 1_000));
  return read.apply(this, args);
};

const config = loadConfig(OPTION_TABLE, {
  env: { DATABASE_URL: process.env.DATABASE_URL },
  cwd: '/nonexistent',
  readFile: () => undefined,
});
importCommand({ from: process.env.IMPORT_FROM }, { config, cwd: '/', print: () => undefined }).then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  },
);
