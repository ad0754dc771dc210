// The built-in weighers, in the order of the reference page. To add one: its file, its table spec, one line here.

import type { Weigher } from '../pipeline/define-weigher';
import { bestFitWeigher } from './best-fit.weigher';
import { buildFailureWeigher } from './build-failure.weigher';
import { cpuWeigher } from './cpu.weigher';
import { crossCellWeigher } from './cross-cell.weigher';
import { diskWeigher } from './disk.weigher';
import { hypervisorVersionWeigher } from './hypervisor-version.weigher';
import { imagePropertiesWeigher } from './image-properties.weigher';
import { ioOpsWeigher } from './io-ops.weigher';
import { metricsWeigher } from './metrics.weigher';
import { numInstancesWeigher } from './num-instances.weigher';
import { pciWeigher } from './pci.weigher';
import { ramWeigher } from './ram.weigher';
import { serverGroupSoftAffinityWeigher } from './server-group-soft-affinity.weigher';
import { serverGroupSoftAntiAffinityWeigher } from './server-group-soft-anti-affinity.weigher';

export const BUILT_IN_WEIGHERS: readonly Weigher[] = Object.freeze([
  ramWeigher,
  cpuWeigher,
  diskWeigher,
  ioOpsWeigher,
  pciWeigher,
  serverGroupSoftAffinityWeigher,
  serverGroupSoftAntiAffinityWeigher,
  buildFailureWeigher,
  crossCellWeigher,
  metricsWeigher,
  hypervisorVersionWeigher,
  numInstancesWeigher,
  imagePropertiesWeigher,
  bestFitWeigher,
]);
