// What flavor and image together say about CPUs: the policy, the thread policy, and which vCPUs are dedicated. Flavor
// and image may disagree only where the contract says which of them wins; everything else is a conflict by name.

import { TRUE_TEXTS } from '../request/boolean-text';
import { invalid } from '../request/request-refusal';
import type { Flavor, Image } from '../request/request-spec';
import { parseCpuMask } from './cpu-list';
import type { CpuPolicy, CpuThreadPolicy } from './numa-topology';

export const CPU_POLICIES: readonly CpuPolicy[] = ['shared', 'dedicated', 'mixed'];
export const THREAD_POLICIES: readonly CpuThreadPolicy[] = ['prefer', 'isolate', 'require'];
export const EMULATOR_POLICIES = ['share', 'isolate'] as const;

/** Path of an extra spec or image property in a refusal. */
export const extraSpecField = (key: string): string => `flavor.extra_specs.${key}`;
export const imagePropertyField = (name: string): string => `image.properties.${name}`;

/**
 * The CPU policy of the instance; null when nobody names one, which means shared. `dedicated` of the flavor wins;
 * `mixed` of the flavor contradicts `dedicated` of the image, `shared` contradicts both others; a silent flavor leaves
 * the choice to the image.
 */
export function effectiveCpuPolicy(flavor: Flavor, image: Image | null): CpuPolicy | null {
  const ours = valueAmong(extraSpec(flavor, 'hw:cpu_policy'), CPU_POLICIES, extraSpecField('hw:cpu_policy'));
  const theirs = valueAmong(imageProperty(image, 'hw_cpu_policy'), CPU_POLICIES, imagePropertyField('hw_cpu_policy'));
  if (ours === null) return theirs;
  const contradicts =
    (ours === 'mixed' && theirs === 'dedicated') || (ours === 'shared' && theirs !== null && theirs !== 'shared');
  if (contradicts) throw contradiction('hw_cpu_policy', theirs ?? '', 'hw:cpu_policy', ours);
  return ours;
}

/**
 * The thread policy of the instance; null when nobody names one. `prefer` of the flavor wins over the image; any other
 * value must equal the image's, where that is set; a silent flavor leaves the choice to the image.
 */
export function effectiveThreadPolicy(flavor: Flavor, image: Image | null): CpuThreadPolicy | null {
  const key = 'hw:cpu_thread_policy';
  const property = 'hw_cpu_thread_policy';
  const ours = valueAmong(extraSpec(flavor, key), THREAD_POLICIES, extraSpecField(key));
  const theirs = valueAmong(imageProperty(image, property), THREAD_POLICIES, imagePropertyField(property));
  if (ours === null) return theirs;
  if (ours !== 'prefer' && theirs !== null && theirs !== ours) throw contradiction(property, theirs, key, ours);
  return ours;
}

/** True when the emulator's threads get a dedicated CPU of their own: `isolate`, for dedicated and mixed policies. */
export function emulatorThreadsIsolated(flavor: Flavor, image: Image | null): boolean {
  const policy = effectiveCpuPolicy(flavor, image);
  return isEmulatorIsolationAsked(flavor) && (policy === 'dedicated' || policy === 'mixed');
}

/** True when the flavor says `isolate`, whatever its CPU policy. */
function isEmulatorIsolationAsked(flavor: Flavor): boolean {
  const key = 'hw:emulator_threads_policy';
  return valueAmong(extraSpec(flavor, key), EMULATOR_POLICIES, extraSpecField(key)) === 'isolate';
}

/** How many vCPUs are dedicated, the emulator's not counted: all, those of a mask, or none. */
export function dedicatedCpuCount(flavor: Flavor, image: Image | null): number {
  return effectiveCpuPolicy(flavor, image) === 'dedicated' ? flavor.vcpus : dedicatedCpus(flavor, image).length;
}

/** The vCPUs that are dedicated, in ascending order. */
export function dedicatedCpus(flavor: Flavor, image: Image | null): readonly number[] {
  switch (effectiveCpuPolicy(flavor, image)) {
    case 'dedicated':
      return Array.from({ length: flavor.vcpus }, (_, cpu) => cpu);
    case 'mixed':
      return mixedCpus(flavor, image);
    case 'shared':
    case null:
      return [];
  }
}

/** One of two masks names the dedicated CPUs of a mixed instance: its own, or that of its realtime CPUs. */
function mixedCpus(flavor: Flavor, image: Image | null): readonly number[] {
  const own = extraSpec(flavor, 'hw:cpu_dedicated_mask');
  const realtime = realtimeMask(flavor, image);
  if (own !== null && realtime !== null) {
    throw invalid(extraSpecField('hw:cpu_dedicated_mask'), 'cannot be given together with a mask of realtime CPUs');
  }
  const mask = own === null ? realtime : { field: extraSpecField('hw:cpu_dedicated_mask'), text: own };
  if (mask === null) {
    throw invalid(extraSpecField('hw:cpu_dedicated_mask'), "must be given with the CPU policy 'mixed'");
  }
  const cpus = cpusOfMask(mask, flavor.vcpus);
  if (cpus.length === flavor.vcpus) throw invalid(mask.field, "leaves no shared CPU, which the policy 'mixed' needs");
  return cpus;
}

interface Mask {
  readonly field: string;
  readonly text: string;
}

/** The CPUs of a mask; it must name at least one, and only those the flavor has. */
function cpusOfMask({ field, text }: Mask, vcpus: number): readonly number[] {
  const cpus = parseCpuMask(text, vcpus);
  if (typeof cpus === 'string') throw invalid(field, cpus);
  if (cpus.length === 0) throw invalid(field, 'names no CPU');
  const beyond = cpus.find((cpu) => cpu >= vcpus);
  if (beyond !== undefined) throw invalid(field, `names CPU ${beyond} of a flavor with ${vcpus} vCPUs`);
  return cpus;
}

/** True when the flavor asks for realtime CPUs. */
function isRealtime(flavor: Flavor): boolean {
  return TRUE_TEXTS.has((extraSpec(flavor, 'hw:cpu_realtime') ?? '').toLowerCase());
}

/** The mask of realtime CPUs, the image's before the flavor's; null without realtime or without a mask. */
function realtimeMask(flavor: Flavor, image: Image | null): Mask | null {
  if (!isRealtime(flavor)) return null;
  const theirs = imageProperty(image, 'hw_cpu_realtime_mask');
  if (theirs !== null) return { field: imagePropertyField('hw_cpu_realtime_mask'), text: theirs };
  const ours = extraSpec(flavor, 'hw:cpu_realtime_mask');
  return ours === null ? null : { field: extraSpecField('hw:cpu_realtime_mask'), text: ours };
}

/**
 * Refuses what only makes sense with dedicated CPUs and would otherwise have no effect: realtime CPUs, isolated
 * emulator threads, a mask without a mixed policy.
 */
export function refuseIdleCpuSettings(flavor: Flavor, image: Image | null): void {
  const policy = effectiveCpuPolicy(flavor, image);
  if (policy !== 'mixed' && extraSpec(flavor, 'hw:cpu_dedicated_mask') !== null) {
    throw invalid(extraSpecField('hw:cpu_dedicated_mask'), "needs the CPU policy 'mixed'");
  }
  const isPinned = policy === 'dedicated' || policy === 'mixed';
  if (!isPinned && isEmulatorIsolationAsked(flavor)) {
    throw invalid(
      extraSpecField('hw:emulator_threads_policy'),
      "is 'isolate', which needs the CPU policy dedicated or mixed",
    );
  }
  if (!isPinned && isRealtime(flavor)) {
    throw invalid(extraSpecField('hw:cpu_realtime'), 'needs the CPU policy dedicated or mixed');
  }
  const mask = realtimeMask(flavor, image);
  if (mask !== null) cpusOfMask(mask, flavor.vcpus);
}

/** The value of an extra spec or image property; blank counts as absent. */
export function extraSpec(flavor: Flavor, key: string): string | null {
  return present(Object.hasOwn(flavor.extraSpecs, key) ? flavor.extraSpecs[key] : undefined);
}

export function imageProperty(image: Image | null, name: string): string | null {
  if (image === null) return null;
  return present(Object.hasOwn(image.properties, name) ? image.properties[name] : undefined);
}

const present = (text: string | undefined): string | null => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
};

/** The value as one of those known, null when absent; another one is refused. */
export function valueAmong<const Value extends string>(
  text: string | null,
  values: readonly Value[],
  field: string,
): Value | null {
  if (text === null) return null;
  const known = values.find((value) => value === text);
  if (known === undefined) throw invalid(field, `must be one of ${values.join(', ')}, not '${text}'`);
  return known;
}

/** Flavor and image say different things: `key` is the flavor's, `property` the image's. */
export function contradiction(property: string, theirs: string, key: string, ours: string): Error {
  const why = `is '${theirs}', which contradicts the flavor: its ${key} is '${ours}'`;
  return invalid(imagePropertyField(property), why);
}
