// Lets `require` load TypeScript in this process: swc compiles a file once, and a cache keeps the result by content.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');
const swcVersion = require('@swc/core/package.json').version;

const CACHE = join(__dirname, '../../../node_modules/.cache/compiled-tests');

/** The paths of the source maps by source file, for stack traces. */
const sourceMaps = new Map();

/** `options` are those of swc. */
function installTypeScript(options) {
  if (Module._extensions['.ts']?.isOfTests === true) return;
  mkdirSync(CACHE, { recursive: true });
  const salt = JSON.stringify([swcVersion, options]);
  const load = (module, path) => module._compile(compiled(path, salt, options), path);
  Module._extensions['.ts'] = Object.assign(load, { isOfTests: true });
}

function compiled(path, salt, options) {
  const source = readFileSync(path, 'utf8');
  const key = createHash('sha1').update(salt).update(path).update(source).digest('hex');
  const file = join(CACHE, `${key}.js`);
  sourceMaps.set(path, `${file}.map`);
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const { code, map } = transformSync(source, { ...options, sourceMaps: true, filename: path });
    put(`${file}.map`, map);
    put(file, code);
    return code;
  }
}

/** The other workers never see half a file. */
function put(file, text) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

module.exports = { installTypeScript, sourceMaps };
