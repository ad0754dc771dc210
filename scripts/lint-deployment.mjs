// Checks files that no test runs: the Dockerfile, docker-compose.yml and all of deploy/. Uses the checkers of HAProxy
// and systemd if they are installed, and reports if they are not.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { NODE_FLAGS } from './node-flags.mjs';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path) => readFileSync(`${root}${path}`, 'utf8');
const problems = [];
const complain = (path, message) => problems.push(`${path}: ${message}`);

checkDockerfile();
checkFlags('Dockerfile', /^CMD (\[.*\])$/m, (found) => JSON.parse(found).slice(1, -1));
for (const unit of ['berth', 'berth-scheduler']) {
  checkFlags(`deploy/systemd/${unit}.service`, /^ExecStart=(.*)$/m, (found) => found.split(' ').slice(1, -1));
}
checkCompose();
checkKubernetes('deploy/kubernetes');
checkWithProgram('haproxy', ['-c', '-q', '-f', 'deploy/haproxy/haproxy.cfg'], 'deploy/haproxy/haproxy.cfg');
checkWithProgram(
  'systemd-analyze',
  ['verify', '--recursive-errors=no', 'deploy/systemd/berth.service'],
  'deploy/systemd',
);
for (const problem of problems) console.log(problem);
process.exit(problems.length === 0 ? 0 : 1);

function checkDockerfile() {
  const { validate } = require('dockerfile-utils');
  const text = read('Dockerfile');
  for (const { range, message } of validate(text, {})) complain(`Dockerfile:${range.start.line + 1}`, message);
  for (const [file, source] of text.matchAll(/dist\/(src\/[\w/-]+)\.js/g)) {
    if (!existsSync(`${root}${source}.ts`)) complain('Dockerfile', `${file} has no source`);
  }
}

/** The file must start Node with the same flags as `npm start`. */
function checkFlags(path, pattern, flagsOf) {
  const flags = flagsOf(pattern.exec(read(path))?.[1] ?? '[]');
  if (flags.join(' ') !== NODE_FLAGS.join(' ')) complain(path, `Node is started with ${flags}, not with ${NODE_FLAGS}`);
}

function checkCompose() {
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx';
  const lint = spawnSync(npx, ['--no-install', 'dclint', '--max-warnings', '0', 'docker-compose.yml'], { cwd: root });
  if (lint.status !== 0) complain('docker-compose.yml', `${lint.stdout}${lint.stderr}`);
  for (const [name, { volumes = [] }] of Object.entries(parse(read('docker-compose.yml')).services)) {
    for (const [source] of volumes.map((volume) => volume.split(':'))) {
      if (source.startsWith('./') && !existsSync(`${root}${source}`)) {
        complain('docker-compose.yml', `${name} mounts ${source}, which is not there`);
      }
    }
  }
}

/** Validates every manifest against its kind's schema, reports unknown fields and missing referenced files. */
function checkKubernetes(folder) {
  const named = parse(read(`${folder}/kustomization.yaml`));
  const files = [...named.resources, ...named.configMapGenerator.flatMap((each) => each.files)];
  for (const file of files) if (!existsSync(`${root}${folder}/${file}`)) complain(folder, `${file} is not there`);
  for (const file of readdirSync(`${root}${folder}`).filter((name) => name.endsWith('.yaml'))) {
    if (file === 'kustomization.yaml') continue;
    if (!named.resources.includes(file)) complain(folder, `${file} is not named by kustomization.yaml`);
    for (const document of parseAllDocuments(read(`${folder}/${file}`))) {
      checkManifest(`${folder}/${file}`, document.toJS());
    }
  }
}

function checkManifest(path, manifest) {
  const { apiVersion, kind } = manifest;
  const Model = require(`kubernetes-models/${apiVersion}/${kind}`)[kind];
  const unread = new Set();
  // The model's constructor would read every field while copying.
  const model = Object.create(Model.prototype, Object.getOwnPropertyDescriptors(watched(manifest, '', unread)));
  try {
    model.validate();
  } catch (error) {
    complain(path, error.message);
  }
  for (const field of unread) complain(path, `${field} is no field of ${kind}`);
}

/** The schemas allow unknown fields, but their validation reads every known field: an unread field is unknown. */
function watched(value, at, unread) {
  if (typeof value !== 'object' || value === null) return value;
  const copy = Array.isArray(value) ? [] : {};
  for (const [key, inner] of Object.entries(value)) {
    const field = `${at}/${key}`;
    const shown = watched(inner, field, unread);
    unread.add(field);
    Object.defineProperty(copy, key, { enumerable: true, get: () => (unread.delete(field), shown) });
  }
  return copy;
}

function checkWithProgram(program, args, path) {
  const { status, error, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  if (error?.code === 'ENOENT') console.log(`${path}: not checked, ${program} is not installed`);
  else if (status !== 0) complain(path, `${stdout}${stderr}`);
}
