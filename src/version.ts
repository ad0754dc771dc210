// The product's version, from package.json, wherever the build put this file.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const VERSION = find(__dirname);

function find(directory: string): string {
  try {
    const text = readFileSync(join(directory, 'package.json'), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  } catch {
    const parent = dirname(directory);
    if (parent === directory) throw new Error('package.json is missing beside the product');
    return find(parent);
  }
}
