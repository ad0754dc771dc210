// How the engine that runs this process is set, whoever started it and with what flags. Imported first, for its effect.
import { setFlagsFromString } from 'node:v8';

// What a request leaves behind is garbage at once, so the young generation's collections have little to copy. Spread over
// threads they take twice the CPU, most of it for handing the work out, and no less time.
setFlagsFromString('--no-parallel-scavenge');
