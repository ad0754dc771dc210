// The built console: every file of its folder with its compressed forms, read once when the service starts. Only these
// files are ever served, regardless of the path. A later build takes effect at the next start.
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { CONSOLE_LIMITS } from '../platform/config/limits/http';
import { StartRefused } from '../platform/values/start-refused';

/** By names in Accept-Encoding, smallest first. */
const ENCODINGS = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;

type Encoding = (typeof ENCODINGS)[number]['name'];

interface FileForm {
  /** Undefined: not compressed. */
  readonly encoding: Encoding | undefined;
  readonly bytes: Buffer;
  /** Quoted. Every form has its own ETag. */
  readonly etag: string;
}

export interface BuiltFile {
  readonly contentType: string;
  /** The name contains a hash of the content, so the file never changes. */
  readonly isImmutable: boolean;
  readonly plain: FileForm;
  /** The compressed forms that are smaller than the plain one, in order of preference. */
  readonly pressed: readonly FileForm[];
}

export interface BuiltConsole {
  /** The template of the page. */
  readonly page: string;
  /** Digest of the page. It names every file of the build that the page loads first, so it differs between builds. */
  readonly build: string;
  /** Keyed by the path below `/console/`; the page is not included. */
  readonly files: ReadonlyMap<string, BuiltFile>;
}

const PAGE = 'index.html';
export const ASSETS = 'assets/';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

export const FILE_TYPES: readonly string[] = Object.values(CONTENT_TYPES);

/** Undefined if the folder contains no built console. Throws StartRefused. */
export async function readBuiltConsole(folder: string): Promise<BuiltConsole | undefined> {
  const names = await filesIn(folder);
  if (!names.includes(PAGE)) return undefined;
  const all = await bytesOf(folder, names);
  const pressedNames = new Set(names.filter((name) => isPressed(name, all)));
  const files = new Map<string, BuiltFile>();
  for (const [name, bytes] of all) {
    if (name === PAGE || pressedNames.has(name)) continue;
    files.set(name, builtFile(name, bytes, all));
  }
  const page = all.get(PAGE) ?? Buffer.alloc(0);
  return { page: page.toString('utf8'), build: digestOf(page), files };
}

/** The smallest form that the client accepts; `accepted` is its `Accept-Encoding` header. */
export function formFor({ plain, pressed }: BuiltFile, accepted: string | undefined): FileForm {
  const qualities = qualitiesOf(accepted ?? '');
  const isTaken = ({ encoding }: FileForm): boolean =>
    encoding !== undefined && (qualities.get(encoding) ?? qualities.get('*') ?? 0) > 0;
  return pressed.find(isTaken) ?? plain;
}

function qualitiesOf(header: string): ReadonlyMap<string, number> {
  const parts = header.split(',').map((part): [string, number] => {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return [name === 'x-gzip' ? 'gzip' : name, quality === undefined ? 1 : Number(quality.slice(2)) || 0];
  });
  return new Map(parts);
}

/** Paths relative to the folder, with slashes. Symbolic links are not followed. */
async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) =>
        join(parentPath, name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      );
    return names.sort();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

async function bytesOf(folder: string, names: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  if (names.length > CONSOLE_LIMITS.files) throw new StartRefused(`${folder} has ${names.length} files`);
  const found = new Map<string, Buffer>();
  let left: number = CONSOLE_LIMITS.bytes;
  for (const name of names) {
    left -= (await stat(join(folder, name))).size;
    if (left < 0) throw new StartRefused(`the files of ${folder} have more than ${CONSOLE_LIMITS.bytes} bytes`);
    found.set(name, await readFile(join(folder, name)));
  }
  return found;
}

const isPressed = (name: string, all: ReadonlyMap<string, Buffer>): boolean =>
  ENCODINGS.some(({ ending }) => name.endsWith(ending) && all.has(name.slice(0, -ending.length)));

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url').slice(0, 22);

function builtFile(name: string, bytes: Buffer, all: ReadonlyMap<string, Buffer>): BuiltFile {
  const contentType = CONTENT_TYPES[extname(name)] ?? 'application/octet-stream';
  const digest = digestOf(bytes);
  const pressed = ENCODINGS.flatMap(({ name: encoding, ending }) => {
    const form = all.get(`${name}${ending}`);
    return form === undefined || form.length >= bytes.length
      ? []
      : [{ encoding, bytes: form, etag: `"${digest}-${encoding}"` }];
  });
  const plain = { encoding: undefined, bytes, etag: `"${digest}"` };
  return { contentType, isImmutable: name.startsWith(ASSETS), plain, pressed };
}
