// A built console in a temporary folder: a page with its placeholders, and assets with their compressed forms.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const CONSOLE_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta name="berth-base" content="__BERTH_BASE__" />
    <meta name="berth-build" content="__BERTH_BUILD__" />
    <meta name="csp-nonce" content="__BERTH_NONCE__" />
    <title>Berth</title>
    <script type="module" src="__BERTH_BASE__/assets/index-aaaa1111.js"></script>
  </head>
  <body><div id="root"></div></body>
</html>
`;

export const CONSOLE_SCRIPT = `export const answer = [${'42,'.repeat(1_000)}];\n`;
const STYLE = 'body{margin:0}';

/** By path below the folder. */
const FILES: Readonly<Record<string, string | Buffer>> = {
  'index.html': CONSOLE_PAGE,
  'berth.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'assets/index-aaaa1111.js': CONSOLE_SCRIPT,
  'assets/index-aaaa1111.js.br': brotliCompressSync(CONSOLE_SCRIPT),
  'assets/index-aaaa1111.js.gz': gzipSync(CONSOLE_SCRIPT),
  'assets/index-bbbb2222.css': STYLE,
  // Compressed larger than the original.
  'assets/index-bbbb2222.css.gz': gzipSync(STYLE),
};

interface ConsoleBuild {
  readonly folder: string;
  remove(): void;
}

export function makeConsoleBuild(files: Readonly<Record<string, string | Buffer>> = FILES): ConsoleBuild {
  const folder = mkdtempSync(join(tmpdir(), 'berth-console-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
