// Finds the `sh` command blocks of the documents, and provides the commands that they use.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * The command blocks of a document in order. A comment before a block can say `<!-- not run: why -->` (`whyNot`) or
 * `<!-- run by test/restore/run.mjs: back up -->` (`suite`, `part`); otherwise these fields are null. Throws if the
 * suite does not exist.
 */
export function commandBlocksOf(document) {
  const blocks = [];
  let comment = '';
  let open = null;
  readFileSync(`${ROOT}${document}`, 'utf8')
    .split('\n')
    .forEach((line, at) => {
      // A block inside a list is indented.
      const text = open === null ? line.trim() : line.slice(open.indent);
      if (open !== null && text === '```') {
        if (open.isShell) blocks.push({ document, line: open.line, text: open.lines.join('\n'), ...runnerOf(comment) });
        [open, comment] = [null, ''];
      } else if (open !== null) open.lines.push(text);
      else if (text.startsWith('```')) {
        open = { isShell: text === '```sh', indent: line.indexOf('```'), line: at + 1, lines: [] };
      } else if (text !== '') comment = text;
    });
  return blocks;
}

function runnerOf(comment) {
  const whyNot = /^<!-- not run: (.+) -->$/.exec(comment)?.[1] ?? null;
  const [, suite = null, part = null] = /^<!-- run by (\S+): (.+) -->$/.exec(comment) ?? [];
  if (suite !== null && !existsSync(`${ROOT}${suite}`)) throw new Error(`${suite} is to run a block, and is not there`);
  return { whyNot, suite, part };
}

/** Creates a folder below `folder` with `berth` and `npx berth` as an installation has them; returns its path. */
export function commandsIn(folder) {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const cli = `exec '${process.execPath}' '${ROOT}dist/cli.js'`;
  writeFileSync(join(bin, 'berth'), `#!/bin/sh\n${cli} "$@"\n`);
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\n${cli} "$@"\n`);
  for (const name of ['berth', 'npx']) chmodSync(join(bin, name), 0o755);
  return bin;
}
