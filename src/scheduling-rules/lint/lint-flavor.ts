// Checks a flavor for settings that requests will be refused for, or that probably have another meaning than intended.
// For operators who write flavors; requests are checked separately.

import { problemOfOperator, suspicionOfOperator } from '../filters/extra-spec-operators';
import { extraSpec, extraSpecField, UNCHECKED_PINNING } from '../numa/cpu-policy';
import type { PciAliases } from '../pci/alias';
import { PCI_NUMA_POLICIES } from '../pci/alias';
import { NO_ADDITIONS } from '../pipeline/run-prefilters';
import { bareRequest } from '../request-spec/bare-request';
import { booleanOf } from '../request-spec/boolean-text';
import { RequestRefused } from '../request-spec/request-refusal';
import type { Flavor, IgnoredField, Image } from '../request-spec/request-spec';
import { fieldsOfShares } from '../request/derive-cells';
import { deriveNumaTopology } from '../request/derive-numa-topology';
import { derivePciRequests } from '../request/derive-pci-requests';
import { WITHOUT_CELLS } from '../request/fields-without-effect';
import {
  ENCRYPTION_FORMATS,
  MAXPHYSADDR_MODES,
  MEM_ENCRYPTION_MODELS,
  SECURE_BOOT,
  SOUND_MODELS,
  TPM_MODELS,
  TPM_SECRET_LEVELS,
  TPM_VERSIONS,
} from '../request/known-values';
import {
  amountOfText,
  amountProblem,
  parsePlacementKey,
  policyProblem,
  resourceClassProblem,
  traitProblem,
} from '../request/placement-extra-specs';
import { buildResourceRequest } from '../request/resource-request';
import type { LintProblem } from './lint-problem';
import { error, traitNameProblems, warning } from './lint-problem';

const VALUES: Readonly<Record<string, readonly string[]>> = {
  group_policy: ['none', 'isolate'],
  'hw:cpu_policy': ['shared', 'dedicated', 'mixed'],
  'hw:cpu_thread_policy': ['prefer', 'isolate', 'require'],
  'hw:emulator_threads_policy': ['share', 'isolate'],
  'hw:ephemeral_encryption_format': ENCRYPTION_FORMATS,
  'hw:maxphysaddr_mode': MAXPHYSADDR_MODES,
  'hw:mem_encryption_model': MEM_ENCRYPTION_MODELS,
  'hw:pci_numa_affinity_policy': PCI_NUMA_POLICIES,
  'hw:sound_model': SOUND_MODELS,
  'hw:tpm_model': TPM_MODELS,
  'hw:tpm_secret_security': TPM_SECRET_LEVELS,
  'hw:tpm_version': TPM_VERSIONS,
  'os:secure_boot': SECURE_BOOT,
};
const BOOLEANS: ReadonlySet<string> = new Set([
  'hw:cpu_realtime',
  'hw:ephemeral_encryption',
  'hw:locked_memory',
  'hw:mem_encryption',
  'hw:virtio_packed_ring',
]);
const OPERATOR_SCOPES = ['capabilities:', 'aggregate_instance_extra_specs:'];

/** The configuration that a flavor is judged by. */
interface LintConfig {
  /** Absent: PCI requests are not judged. */
  readonly pciAliases?: PciAliases;
  readonly isPinningUnchecked?: boolean;
}

/** Problems in the order of the extra specs, then of the flavor as a whole. */
export function problemsOfFlavor(flavor: Flavor, config: LintConfig = {}): readonly LintProblem[] {
  const single = Object.entries(flavor.extraSpecs).flatMap(([key, value]) => extraSpecProblems(key, value));
  const reported = new Set(single.filter(({ severity }) => severity === 'error').map(({ field }) => field));
  const { pciAliases = null, isPinningUnchecked = false } = config;
  const whole = wholeProblems(flavor, pciAliases).filter(({ field }) => !reported.has(field));
  const isPinned = isPinningUnchecked && extraSpec(flavor, 'hw:cpu_policy') === 'dedicated';
  return [...single, ...whole, ...(isPinned ? [warning(extraSpecField('hw:cpu_policy'), UNCHECKED_PINNING)] : [])];
}

function extraSpecProblems(key: string, value: string): readonly LintProblem[] {
  const field = extraSpecField(key);
  if (key === 'group_policy')
    return value === 'none' || value === 'isolate' ? [] : [error(field, policyProblem(value))];
  if (key.startsWith('resource:')) return [warning(field, 'has no effect; use resources: to request an amount')];
  const placement = placementProblems(key, value);
  if (placement !== null) return placement;
  if (!key.includes(':')) {
    return [
      warning(field, 'has no scope, and the filters that read such keys disagree'),
      ...operatorProblems(field, value),
    ];
  }
  if (OPERATOR_SCOPES.some((scope) => key.startsWith(scope))) return operatorProblems(field, value);
  return valueProblems(key, value.trim());
}

/** Null for a key that is not for Placement. */
function placementProblems(key: string, value: string): readonly LintProblem[] | null {
  const field = extraSpecField(key);
  const parsed = parsePlacementKey(key);
  if (parsed === null) return null;
  if (typeof parsed === 'string') return [error(field, parsed)];
  const { kind, suffix, name } = parsed;
  if (kind === 'resources') {
    const why = resourceClassProblem(name) ?? (amountOfText(value) === null ? amountProblem(value) : null);
    return why === null ? [] : [error(field, why)];
  }
  const typo =
    suffix === 's' ? [warning(field, "asks it of a group named 's'; trait: is the spelling without a group")] : [];
  const isCondition = value === 'required' || value === 'forbidden';
  return [...typo, ...traitNameProblems(field, name), ...(isCondition ? [] : [error(field, traitProblem(value))])];
}

function operatorProblems(field: string, value: string): readonly LintProblem[] {
  const problem = problemOfOperator(value);
  if (problem !== null) return [error(field, problem)];
  const suspicion = suspicionOfOperator(value);
  return suspicion === null ? [] : [warning(field, suspicion)];
}

function valueProblems(key: string, value: string): readonly LintProblem[] {
  const field = extraSpecField(key);
  if (value === '') return [];
  const values = Object.hasOwn(VALUES, key) ? VALUES[key] : undefined;
  if (values !== undefined && !values.includes(value)) {
    return [error(field, `must be one of ${values.join(', ')}, not '${value}'`)];
  }
  if (BOOLEANS.has(key) && booleanOf(value) === null) return [error(field, `must be true or false, not '${value}'`)];
  if (key === 'hw:maxphysaddr_bits' && !/^[1-9]\d{0,3}$/.test(value)) {
    return [error(field, `must be an integer of at least 1, not '${value}'`)];
  }
  return [];
}

/** An image that contradicts no flavor and allows everything. */
const ANY_IMAGE: Image = {
  id: null,
  name: null,
  diskFormat: null,
  properties: { hw_firmware_type: 'uefi', hw_firmware_stateless: 'true' },
};

/** Problems for which any request with this flavor would be refused. */
function wholeProblems(flavor: Flavor, aliases: PciAliases | null): readonly LintProblem[] {
  const withoutEffect: IgnoredField[] = [];
  const attempts: readonly (() => unknown)[] = [
    () =>
      withoutEffect.push(
        ...buildResourceRequest(bareRequest(flavor, ANY_IMAGE), NO_ADDITIONS, { maxPlacementResults: 1 }).ignored,
      ),
    () => {
      if (deriveNumaTopology(flavor, ANY_IMAGE) !== null) return;
      withoutEffect.push(...fieldsOfShares(flavor, null).map((field) => ({ field, why: WITHOUT_CELLS })));
    },
    () => (aliases === null ? [] : derivePciRequests(flavor, ANY_IMAGE, aliases)),
  ];
  const refusals = attempts.flatMap((attempt) => problemsOfRefusal(attempt, (field) => mayBeCompleted(flavor, field)));
  const problems = [
    ...refusals,
    ...withoutEffect.map(({ field, why }) => warning(field, `${why}, unless the image completes it`)),
  ];
  return problems.filter(({ field }, at) => problems.findIndex((other) => other.field === field) === at);
}

/** The refusal as a problem; a warning if an image can resolve it. */
export function problemsOfRefusal(
  attempt: () => unknown,
  mayBeCured: (field: string) => boolean,
): readonly LintProblem[] {
  try {
    attempt();
    return [];
  } catch (refused) {
    if (!(refused instanceof RequestRefused)) throw refused;
    const { field, why } = refused;
    return [mayBeCured(field) ? warning(field, `${why}, unless the image completes it`) : error(field, why)];
  }
}

const CPU_AMOUNT = /^resources\d*:[PV]CPU$/;
/** Settings of CPU threads, which need a CPU policy. */
const THREAD_SETTING =
  /^flavor\.extra_specs\.(?:hw:cpu_thread_policy|hw:emulator_threads_policy|hw:cpu_realtime|trait\d*:HW_CPU_HYPERTHREADING)$/;

/** Settings that the image can complete: a CPU policy, a mask, explicit cells. */
function mayBeCompleted(flavor: Flavor, field: string): boolean {
  const isSet = (key: string): boolean => extraSpec(flavor, key) !== null;
  const setsPolicy = isSet('hw:cpu_policy') || Object.keys(flavor.extraSpecs).some((key) => CPU_AMOUNT.test(key));
  if (THREAD_SETTING.test(field)) return !setsPolicy;
  switch (field) {
    case extraSpecField('hw:numa_nodes'):
      return /^\d+$/.test(extraSpec(flavor, 'hw:numa_nodes') ?? '');
    case extraSpecField('hw:cpu_dedicated_mask'):
      return !isSet('hw:cpu_policy') || !isSet('hw:cpu_dedicated_mask');
    default:
      return false;
  }
}
