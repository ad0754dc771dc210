// The built-in prefilters, in the order they run; own ones run after them. Adding one: its file, its table spec, one
// line here.

import type { Prefilter } from '../pipeline/define-prefilter';
import { computeStatusPrefilter } from './compute-status.prefilter';
import { imageTypePrefilter } from './image-type.prefilter';

export const BUILT_IN_PREFILTERS: readonly Prefilter[] = Object.freeze([imageTypePrefilter, computeStatusPrefilter]);
