// Once before the suites that run what uses the built client.
import { buildClientIfStale } from '../../scripts/build-client.mjs';

export default buildClientIfStale;
