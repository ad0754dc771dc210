// How the engine that runs this process is set, whoever started it and with what flags. Imported first, for its effect.
import { setFlagsFromString } from 'node:v8';

// What a request leaves behind is garbage at once, so the young generation's collections have little to copy. Spread over
// threads they take twice the CPU, most of it for handing the work out, and no less time.
setFlagsFromString('--no-parallel-scavenge');

// Code whose objects often live through a collection would have them made in the old generation from the start. A search
// is such code whenever a collection falls into it, and its dead answers, made old, keep what they refer to alive.
setFlagsFromString('--no-allocation-site-pretenuring');
