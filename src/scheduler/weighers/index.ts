// The built-in weighers. Adding one: its file, its table spec, one line here.

import type { Weigher } from '../pipeline/define-weigher';
import { ramWeigher } from './ram.weigher';

export const BUILT_IN_WEIGHERS: readonly Weigher[] = Object.freeze([ramWeigher]);
