// The page to view the document: Swagger UI from its npm package, with a start script. Everything is same-origin.
import { readFile } from 'node:fs/promises';

export const PAGE_TYPE = 'text/html; charset=utf-8';
export const CODE_TYPE = 'text/javascript; charset=utf-8';
export const STYLE_TYPE = 'text/css; charset=utf-8';

/** Files of the package that the page loads. */
const OF_THE_PACKAGE: Readonly<Record<string, string>> = {
  'swagger-ui.css': STYLE_TYPE,
  'swagger-ui-bundle.js': CODE_TYPE,
};

const START = 'start.js';

export const VIEWER_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Berth</title>
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="document"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/${START}"></script>
  </body>
</html>
`;

/** The page passes on the version in its query: `/docs?microversion=1.20`. */
const START_TEXT = `SwaggerUIBundle({
  url: 'docs/openapi.json' + location.search,
  dom_id: '#document',
  deepLinking: true,
  validatorUrl: null,
});
`;

/** Swagger UI sets inline styles, and its style sheet contains data: images. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const VIEWER_HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

interface ViewerFile {
  readonly contentType: string;
  readonly bytes: Buffer;
}

const read = new Map<string, ViewerFile>();

/** Undefined for a file that the page does not load. */
export async function viewerFile(name: string): Promise<ViewerFile | undefined> {
  if (name === START) return { contentType: CODE_TYPE, bytes: Buffer.from(START_TEXT) };
  const contentType = Object.hasOwn(OF_THE_PACKAGE, name) ? OF_THE_PACKAGE[name] : undefined;
  if (contentType === undefined) return undefined;
  const file = read.get(name) ?? { contentType, bytes: await readFile(require.resolve(`swagger-ui-dist/${name}`)) };
  read.set(name, file);
  return file;
}
