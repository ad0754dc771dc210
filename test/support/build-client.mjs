// Global set-up of the suites that use the built client.
import { buildClientIfStale } from '../../scripts/build-client.mjs';

export default buildClientIfStale;
