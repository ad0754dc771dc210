// The page on which people read the document: the files of Swagger UI as its package brings them, and what starts it.
// Nothing comes from elsewhere, and nothing may go elsewhere.
import { readFile } from 'node:fs/promises';

export const PAGE_TYPE = 'text/html; charset=utf-8';
export const CODE_TYPE = 'text/javascript; charset=utf-8';
export const STYLE_TYPE = 'text/css; charset=utf-8';

/** Files of the package that the page names. */
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

/** The page may be asked for a version: `/docs?microversion=1.20`. */
const START_TEXT = `SwaggerUIBundle({
  url: 'docs/openapi.json' + location.search,
  dom_id: '#document',
  deepLinking: true,
  validatorUrl: null,
});
`;

/** Swagger UI sets styles of single elements; pictures of its own are in its style sheet. */
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

/** Undefined for a name that the page does not need. */
export async function viewerFile(name: string): Promise<ViewerFile | undefined> {
  if (name === START) return { contentType: CODE_TYPE, bytes: Buffer.from(START_TEXT) };
  const contentType = Object.hasOwn(OF_THE_PACKAGE, name) ? OF_THE_PACKAGE[name] : undefined;
  if (contentType === undefined) return undefined;
  const file = read.get(name) ?? { contentType, bytes: await readFile(require.resolve(`swagger-ui-dist/${name}`)) };
  read.set(name, file);
  return file;
}
