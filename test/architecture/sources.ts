// The sources and their imports, for the architecture rules.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(__dirname, '../..');
export const SRC = join(ROOT, 'src');

export interface SourceFile {
  /** Relative to src/. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function sourceFiles(folder: string): readonly SourceFile[] {
  return readdirSync(folder).flatMap((name): readonly SourceFile[] => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sourceFiles(path);
    if (!name.endsWith('.ts')) return [];
    const text = readFileSync(path, 'utf8');
    return [{ path: relative(SRC, path), text, imports: importsOf(path, text) }];
  });
}

/** Packages by name; own files relative to src/. */
export function importsOf(path: string, text: string): readonly string[] {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName: name }) =>
      name.startsWith('.') ? relative(SRC, resolve(dirname(path), name)) : name,
    );
}

/** With specs and fixtures. */
export const ALL_FILES = sourceFiles(SRC);

export const FILES: readonly SourceFile[] = ALL_FILES.filter(({ path }) => !/\.(spec|fixture)\.ts$/.test(path));

export const isIn = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path.startsWith(`${folder}/`));

export const lines = (breaches: readonly (readonly [string, string])[]): readonly string[] =>
  breaches.map(([from, to]) => `${from} -> ${to}`);

/** The slices of the Placement API; each can use the earlier ones. */
export const PLACEMENT_SLICES = [
  'placement/resource-classes',
  'placement/traits',
  'placement/resource-providers',
  'placement/provider-traits',
  'placement/aggregates',
  'placement/inventories',
  'placement/consumers',
  'placement/usages',
  'placement/allocations',
  'placement/reshaper',
  'placement/allocation-candidates',
] as const;
