// CPU settings from the `hw:` keys of flavor and image: the policy, the thread policy, and the dedicated vCPUs. Flavor
// and image can differ only if the contract defines which one wins; all other differences are errors that name the
// field. cpu-settings.ts adds resources and traits of the flavor.

import { TRUE_TEXTS } from '../request-spec/boolean-text';
import type { CpuPolicy, CpuThreadPolicy } from '../request-spec/numa-topology';
import { invalid } from '../request-spec/request-refusal';
import type { Flavor, Image } from '../request-spec/request-spec';
import { parseCpuMask } from './cpu-list';

export const CPU_POLICIES: readonly CpuPolicy[] = ['shared', 'dedicated', 'mixed'];
export const THREAD_POLICIES: readonly CpuThreadPolicy[] = ['prefer', 'isolate', 'require'];
export const EMULATOR_POLICIES = ['share', 'isolate'] as const;

/** Without hosts that have dedicated CPUs, the scheduler asks for shared ones, as nova does. */
export const UNCHECKED_PINNING =
  'asks for dedicated CPUs, and NUMATopologyFilter is not enabled: a host that has only shared CPUs can be chosen';

/** Path of an extra spec or image property in an error message. */
export const extraSpecField = (key: string): string => `flavor.extra_specs.${key}`;
export const imagePropertyField = (name: string): string => `image.properties.${name}`;

/**
 * The CPU policy of `hw:cpu_policy` or `hw_cpu_policy`; null if neither is set. The flavor's `dedicated` wins; its
 * `mixed` contradicts the image's `dedicated`; its `shared` contradicts both other values. Without a flavor setting the
 * image decides.
 */
export function namedCpuPolicy(flavor: Flavor, image: Image | null): CpuPolicy | null {
  const fromFlavor = valueAmong(extraSpec(flavor, 'hw:cpu_policy'), CPU_POLICIES, extraSpecField('hw:cpu_policy'));
  const fromImage = valueAmong(
    imageProperty(image, 'hw_cpu_policy'),
    CPU_POLICIES,
    imagePropertyField('hw_cpu_policy'),
  );
  if (fromFlavor === null) return fromImage;
  const contradicts =
    (fromFlavor === 'mixed' && fromImage === 'dedicated') ||
    (fromFlavor === 'shared' && fromImage !== null && fromImage !== 'shared');
  if (contradicts) throw contradiction('hw_cpu_policy', fromImage ?? '', 'hw:cpu_policy', fromFlavor);
  return fromFlavor;
}

/**
 * The thread policy of `hw:cpu_thread_policy` or `hw_cpu_thread_policy`; null if neither is set. The flavor's `prefer`
 * wins over the image; any other value must equal the image's, if set. Without a flavor setting the image decides.
 */
export function namedThreadPolicy(flavor: Flavor, image: Image | null): CpuThreadPolicy | null {
  const key = 'hw:cpu_thread_policy';
  const property = 'hw_cpu_thread_policy';
  const fromFlavor = valueAmong(extraSpec(flavor, key), THREAD_POLICIES, extraSpecField(key));
  const fromImage = valueAmong(imageProperty(image, property), THREAD_POLICIES, imagePropertyField(property));
  if (fromFlavor === null) return fromImage;
  if (fromFlavor !== 'prefer' && fromImage !== null && fromImage !== fromFlavor)
    throw contradiction(property, fromImage, key, fromFlavor);
  return fromFlavor;
}

/** The emulator threads policy of the flavor; images have none. */
export function emulatorThreadsPolicy(flavor: Flavor): (typeof EMULATOR_POLICIES)[number] | null {
  const key = 'hw:emulator_threads_policy';
  return valueAmong(extraSpec(flavor, key), EMULATOR_POLICIES, extraSpecField(key));
}

/** The dedicated vCPUs under the policy, in ascending order, without the emulator's CPU. */
export function dedicatedCpus(flavor: Flavor, image: Image | null, policy: CpuPolicy | null): readonly number[] {
  switch (policy) {
    case 'dedicated':
      return allCpus(flavor);
    case 'mixed':
      return mixedCpus(flavor, image);
    case 'shared':
    case null:
      return [];
  }
}

const allCpus = ({ vcpus }: Flavor): readonly number[] => Array.from({ length: vcpus }, (_, cpu) => cpu);

/** The dedicated CPUs of a mixed instance: from the dedicated mask, or the realtime CPUs. */
function mixedCpus(flavor: Flavor, image: Image | null): readonly number[] {
  const key = 'hw:cpu_dedicated_mask';
  const own = extraSpec(flavor, key);
  const realtime = realtimeCpus(flavor, image);
  if (own !== null && realtime !== null) {
    throw invalid(extraSpecField(key), 'cannot be given together with realtime CPUs');
  }
  if (realtime !== null) return realtime;
  if (own === null) throw invalid(extraSpecField(key), "must be given with the CPU policy 'mixed'");
  const cpus = cpusOfMask({ field: extraSpecField(key), text: own }, flavor.vcpus);
  if (cpus.length === flavor.vcpus) {
    throw invalid(extraSpecField(key), "leaves no shared CPU, which the policy 'mixed' needs");
  }
  return cpus;
}

interface Mask {
  readonly field: string;
  readonly text: string;
}

const cpusOfMask = ({ field, text }: Mask, vcpus: number): readonly number[] =>
  cpusOfFlavor(field, parseCpuMask(text, vcpus), vcpus);

/** The parsed CPUs, or else the fault of their text; at least one, and only vCPUs of the flavor. */
export function cpusOfFlavor(field: string, cpus: readonly number[] | string, vcpus: number): readonly number[] {
  if (typeof cpus === 'string') throw invalid(field, cpus);
  if (cpus.length === 0) throw invalid(field, 'names no CPU');
  const beyond = cpus.find((cpu) => cpu >= vcpus);
  if (beyond !== undefined) throw invalid(field, `names CPU ${beyond} of a flavor with ${vcpus} vCPUs`);
  return cpus;
}

/**
 * The realtime vCPUs, by the image's mask or else the flavor's; without a mask all. Null without realtime. All vCPUs
 * can be realtime only with an emulator threads policy, because the emulator needs a CPU too.
 */
export function realtimeCpus(flavor: Flavor, image: Image | null): readonly number[] | null {
  if (!TRUE_TEXTS.has((extraSpec(flavor, 'hw:cpu_realtime') ?? '').toLowerCase())) return null;
  const mask = realtimeMask(flavor, image);
  const cpus = mask === null ? allCpus(flavor) : cpusOfMask(mask, flavor.vcpus);
  if (cpus.length === flavor.vcpus && emulatorThreadsPolicy(flavor) === null) {
    const field = mask?.field ?? extraSpecField('hw:cpu_realtime');
    throw invalid(field, 'makes every vCPU realtime, which needs hw:emulator_threads_policy or a smaller mask');
  }
  return cpus;
}

function realtimeMask(flavor: Flavor, image: Image | null): Mask | null {
  const fromImage = imageProperty(image, 'hw_cpu_realtime_mask');
  if (fromImage !== null) return { field: imagePropertyField('hw_cpu_realtime_mask'), text: fromImage };
  const fromFlavor = extraSpec(flavor, 'hw:cpu_realtime_mask');
  return fromFlavor === null ? null : { field: extraSpecField('hw:cpu_realtime_mask'), text: fromFlavor };
}

/** The value of an extra spec or image property; a blank value counts as absent. */
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

/** The value if it is known, null if absent; any other value is refused. */
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

/** Error for contradicting values: `key` is the flavor's, `property` the image's. */
export function contradiction(property: string, fromImage: string, key: string, fromFlavor: string): Error {
  const why = `is '${fromImage}', which contradicts the flavor: its ${key} is '${fromFlavor}'`;
  return invalid(imagePropertyField(property), why);
}
