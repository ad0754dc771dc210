// V8 settings of this process, independent of how it was started. Imported first, for its effect.
import { setFlagsFromString } from 'node:v8';

// The objects of a request are garbage soon, so young-generation collections have little to copy. With several threads
// they take twice the CPU, mostly for distributing the work, and no less time.
setFlagsFromString('--no-parallel-scavenge');

// Otherwise V8 allocates directly in the old generation for code whose objects often survive a collection. That happens
// to searches, and their dead results in the old generation keep referenced objects alive.
setFlagsFromString('--no-allocation-site-pretenuring');
