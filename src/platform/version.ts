// The product's folder, version and optional packages, from its package.json, wherever the build has put this file.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Product {
  readonly folder: string;
  readonly version: string;
  /** Packages that are loaded only on use, in the form that `npm install` accepts: `name@version`. */
  readonly optionalPackages: readonly string[];
}

/** The build output is in its `dist` folder. */
export const { folder: PRODUCT_FOLDER, version: VERSION, optionalPackages: OPTIONAL_PACKAGES } = find(__dirname);

function find(folder: string): Product {
  try {
    const { version, peerDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly version: string;
      readonly peerDependencies: Readonly<Record<string, string>>;
    };
    const optionalPackages = Object.entries(peerDependencies).map(([name, range]) => `${name}@${range}`);
    return { folder, version, optionalPackages };
  } catch {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('package.json is missing next to the product');
    return find(parent);
  }
}
