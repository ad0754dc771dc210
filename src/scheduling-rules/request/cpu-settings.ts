// All CPU settings of flavor and image: `hw:` keys, and resources and traits of the flavor that imply a policy. Every
// contradiction is refused with its field before any host is checked.

import {
  dedicatedCpus,
  emulatorThreadsPolicy,
  extraSpec,
  extraSpecField,
  imageProperty,
  imagePropertyField,
  namedCpuPolicy,
  namedThreadPolicy,
  realtimeCpus,
} from '../numa/cpu-policy';
import type { CpuPolicy, CpuThreadPolicy } from '../request-spec/numa-topology';
import { invalid } from '../request-spec/request-refusal';
import type { Flavor, Image } from '../request-spec/request-spec';
import { amountOfText, parsePlacementKey, TRAIT_PREFIX } from './placement-extra-specs';

const HYPERTHREADING = 'HW_CPU_HYPERTHREADING';

interface CpuSettings {
  /** Null: not set, which means shared. */
  readonly policy: CpuPolicy | null;
  /** Null: not set, which means prefer. Only with dedicated CPUs. */
  readonly threadPolicy: CpuThreadPolicy | null;
  /** In ascending order. */
  readonly dedicatedCpus: readonly number[];
  /** The emulator's threads get a separate dedicated CPU. Only with dedicated CPUs. */
  readonly emulatorThreadsIsolated: boolean;
}

/**
 * Law: `resources:PCPU` is the CPU policy `dedicated` and `resources:VCPU` is `shared`; neither is allowed with an
 * explicit policy. `trait:HW_CPU_HYPERTHREADING` is a thread policy: `require` if required, `isolate` if forbidden.
 */
export function cpuSettings(flavor: Flavor, image: Image | null): CpuSettings {
  const policy = policyOfAmounts(flavor, image) ?? namedCpuPolicy(flavor, image);
  const emulatorThreadsIsolated = emulatorThreadsPolicy(flavor) === 'isolate';
  const threads = threadPolicyOf(flavor, image);
  if (policy !== 'dedicated' && policy !== 'mixed') refuseWithoutDedicatedCpus(flavor, image, threads);
  if (policy !== 'mixed' && extraSpec(flavor, 'hw:cpu_dedicated_mask') !== null) {
    throw invalid(extraSpecField('hw:cpu_dedicated_mask'), "needs the CPU policy 'mixed'");
  }
  realtimeCpus(flavor, image);
  return {
    policy,
    threadPolicy: threads?.policy ?? null,
    dedicatedCpus: dedicatedCpus(flavor, image, policy),
    emulatorThreadsIsolated,
  };
}

/** The sum of one class over the unsuffixed and numbered groups, and the first extra spec that names it. */
interface AmountAsked {
  readonly key: string;
  readonly amount: number;
}

/** The policy that amounts of VCPU and PCPU imply; null without an amount above 0. */
function policyOfAmounts(flavor: Flavor, image: Image | null): CpuPolicy | null {
  const pcpu = amountAsked(flavor, 'PCPU');
  const vcpu = amountAsked(flavor, 'VCPU');
  const requestedCpus = pcpu ?? vcpu;
  if (requestedCpus === null) return null;
  const field = extraSpecField(requestedCpus.key);
  if (namedCpuPolicy(flavor, image) !== null) {
    const other = extraSpec(flavor, 'hw:cpu_policy') === null ? 'hw_cpu_policy of the image' : 'hw:cpu_policy';
    throw invalid(field, `cannot be given together with ${other}; both set the CPU policy`);
  }
  if (pcpu === null) return 'shared';
  if (vcpu !== null) throw invalid(field, `cannot be given together with ${vcpu.key}: CPUs are dedicated or shared`);
  const isolated = emulatorThreadsPolicy(flavor) === 'isolate';
  const due = flavor.vcpus + (isolated ? 1 : 0);
  if (pcpu.amount !== due) {
    const rule = isolated ? 'flavor.vcpus + 1 with hw:emulator_threads_policy=isolate' : 'flavor.vcpus';
    throw invalid(field, `must sum up to ${due} PCPU, which is ${rule}, not to ${pcpu.amount}`);
  }
  return 'dedicated';
}

/** Null without an amount above 0. An invalid amount is refused with the resource request. */
function amountAsked({ extraSpecs }: Flavor, resourceClass: 'VCPU' | 'PCPU'): AmountAsked | null {
  let key: string | null = null;
  let amount = 0;
  for (const [name, value] of Object.entries(extraSpecs)) {
    if (!names(name, 'resources', resourceClass)) continue;
    key ??= name;
    amount += amountOfText(value) ?? 0;
  }
  return key === null || amount === 0 ? null : { key, amount };
}

/** True for `kind:name` of the unsuffixed group or a group with a number as suffix; other suffixes imply no policy. */
function names(key: string, kind: 'resources' | 'trait', name: string): boolean {
  const parsed = parsePlacementKey(key);
  if (parsed === null || typeof parsed === 'string') return false;
  return parsed.kind === kind && parsed.name === name && /^(?:[1-9]\d*)?$/.test(parsed.suffix);
}

interface ThreadPolicyAsked {
  readonly policy: CpuThreadPolicy;
  readonly field: string;
}

function threadPolicyOf(flavor: Flavor, image: Image | null): ThreadPolicyAsked | null {
  const policy = namedThreadPolicy(flavor, image);
  const trait = threadPolicyOfTrait(flavor, image);
  if (policy === null) return trait;
  const isOfFlavor = extraSpec(flavor, 'hw:cpu_thread_policy') !== null;
  const field = isOfFlavor ? extraSpecField('hw:cpu_thread_policy') : imagePropertyField('hw_cpu_thread_policy');
  if (trait === null) return { policy, field };
  throw invalid(trait.field, `cannot be given together with ${field}; both set the thread policy`);
}

/** The flavor's trait takes precedence over the image's; an image can only require it. */
function threadPolicyOfTrait({ extraSpecs }: Flavor, image: Image | null): ThreadPolicyAsked | null {
  for (const [key, value] of Object.entries(extraSpecs)) {
    if (!names(key, 'trait', HYPERTHREADING)) continue;
    if (value === 'required') return { policy: 'require', field: extraSpecField(key) };
    if (value === 'forbidden') return { policy: 'isolate', field: extraSpecField(key) };
  }
  const property = `${TRAIT_PREFIX}${HYPERTHREADING}`;
  if (imageProperty(image, property) !== 'required') return null;
  return { policy: 'require', field: imagePropertyField(property) };
}

/** Thread policies, isolated emulator threads and realtime CPUs require dedicated CPUs. */
function refuseWithoutDedicatedCpus(flavor: Flavor, image: Image | null, threads: ThreadPolicyAsked | null): void {
  const needs = 'needs the CPU policy dedicated or mixed';
  if (threads !== null) throw invalid(threads.field, `sets the thread policy '${threads.policy}', which ${needs}`);
  if (emulatorThreadsPolicy(flavor) === 'isolate') {
    throw invalid(extraSpecField('hw:emulator_threads_policy'), `is 'isolate', which ${needs}`);
  }
  if (realtimeCpus(flavor, image) !== null) throw invalid(extraSpecField('hw:cpu_realtime'), needs);
}
