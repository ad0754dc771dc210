// Builds the console once for all its suites.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../scripts/build-console.mjs', import.meta.url));

export default () => void execFileSync(process.execPath, [script], { stdio: 'inherit' });
