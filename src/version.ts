// The product's folder and version: where package.json is, wherever the build put this file.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What was built stands in its `dist`. */
export const { folder: PRODUCT_FOLDER, version: VERSION } = find(__dirname);

function find(folder: string): { readonly folder: string; readonly version: string } {
  try {
    const text = readFileSync(join(folder, 'package.json'), 'utf8');
    return { folder, version: (JSON.parse(text) as { version: string }).version };
  } catch {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('package.json is missing beside the product');
    return find(parent);
  }
}
