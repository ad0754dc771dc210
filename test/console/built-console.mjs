// Once before the suites: the console as it is now, built.
import { startConsoleBuild } from '../../scripts/build-console.mjs';

export default async function build() {
  if (!(await startConsoleBuild().ended)) throw new Error('the console cannot be built');
}
