// Translates settings of flavor and image to resources and traits: memory encryption, persistent memory, TPM, secure
// boot and similar. Each is one function; all of them add to the unsuffixed group.

import { customNameOf } from '../../platform/values/names';
import { extraSpec, extraSpecField, imageProperty, imagePropertyField } from '../numa/cpu-policy';
import { PCI_NUMA_POLICIES } from '../pci/alias';
import { booleanOf } from '../request-spec/boolean-text';
import { invalid } from '../request-spec/request-refusal';
import type { Flavor } from '../request-spec/request-spec';
import type { FlavorAndImage } from './flavor-image';
import { agreedBoolean, agreedValue, fieldsOf, propertyOf } from './flavor-image';
import { MAXPHYSADDR_MODES, MEM_ENCRYPTION_MODELS, SECURE_BOOT, TPM_MODELS, TPM_VERSIONS } from './known-values';
import type { RequestDraft } from './request-draft';
import { isReportedBy } from './traits-by-release';

/** The resource class of encrypted memory. */
export const ENCRYPTION_CLASS = 'MEM_ENCRYPTION_CONTEXT';

/** Step 8. */
export function addTranslations(draft: RequestDraft, source: FlavorAndImage): void {
  for (const translate of TRANSLATIONS) translate(draft, source);
}

type Translation = (draft: RequestDraft, source: FlavorAndImage) => void;

const TRANSLATIONS: readonly Translation[] = [
  addMemoryEncryption,
  addPersistentMemory,
  addTpm,
  addSocketAffinity,
  addSecureBoot,
  addAddressSpace,
  addStatelessFirmware,
];

/** The path that sets a setting: the flavor's, otherwise the image's. */
function fieldOf({ flavor }: FlavorAndImage, key: string): string {
  return extraSpec(flavor, key) === null ? imagePropertyField(propertyOf(key)) : extraSpecField(key);
}

/** Requires the trait for a setting of the flavor, the image or both. */
function requireTrait(draft: RequestDraft, name: string, source: FlavorAndImage, key: string): void {
  if (!isReportedBy(draft.computeRelease, name)) return;
  for (const field of fieldsOf(source, key)) draft.addTrait('', { name, kind: 'required', field });
}

const ENCRYPTION_TRAITS: Readonly<Record<(typeof MEM_ENCRYPTION_MODELS)[number], string>> = {
  'amd-sev': 'HW_CPU_X86_AMD_SEV',
  'amd-sev-es': 'HW_CPU_X86_AMD_SEV_ES',
  'amd-sev-snp': 'HW_CPU_X86_AMD_SEV_SNP',
};

/** Encrypted memory needs UEFI, and q35 if a machine type is set; SEV-SNP also needs stateless firmware. */
function addMemoryEncryption(draft: RequestDraft, source: FlavorAndImage): void {
  const key = 'hw:mem_encryption';
  if (!agreedBoolean(source, key, draft.lenient)) return;
  const field = fieldOf(source, key);
  if (imageProperty(source.image, 'hw_firmware_type') !== 'uefi') {
    throw invalid(field, 'needs an image with hw_firmware_type=uefi');
  }
  const machine = imageProperty(source.image, 'hw_machine_type');
  if (machine !== null && !machine.includes('q35')) {
    throw invalid(
      imagePropertyField('hw_machine_type'),
      `must be of the q35 kind for memory encryption, not '${machine}'`,
    );
  }
  const model = agreedValue(source, 'hw:mem_encryption_model', MEM_ENCRYPTION_MODELS) ?? 'amd-sev';
  if (model === 'amd-sev-snp' && booleanOf(imageProperty(source.image, 'hw_firmware_stateless') ?? '') !== true) {
    throw invalid(
      fieldOf(source, 'hw:mem_encryption_model'),
      `is ${model}, which needs an image with hw_firmware_stateless=true`,
    );
  }
  draft.group('').resources.set(ENCRYPTION_CLASS, 1);
  requireTrait(draft, ENCRYPTION_TRAITS[model], source, key);
}

/** One label for each namespace of persistent memory. */
export function persistentMemoryLabels(flavor: Flavor): readonly string[] {
  const labels = (extraSpec(flavor, 'hw:pmem') ?? '').split(',').map((label) => label.trim());
  return labels.filter((label) => label !== '');
}

/** Persistent memory is counted by label: `6GB,6GB,4GB` is two namespaces of 6GB and one of 4GB. */
function addPersistentMemory(draft: RequestDraft, { flavor }: FlavorAndImage): void {
  const counts = new Map<string, number>();
  for (const label of persistentMemoryLabels(flavor)) {
    const name = customNameOf(`PMEM_NAMESPACE_${label}`);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const { resources } = draft.group('');
  for (const [name, count] of counts) resources.set(name, count);
}

/** A TPM by version and model. The default model is TIS; CRB exists for version 2.0 only. No version: no TPM. */
function addTpm(draft: RequestDraft, source: FlavorAndImage): void {
  const version = agreedValue(source, 'hw:tpm_version', TPM_VERSIONS);
  if (version === null) {
    for (const field of fieldsOf(source, 'hw:tpm_model')) draft.ignored.push({ field, why: 'it needs a TPM version' });
    return;
  }
  const model = agreedValue(source, 'hw:tpm_model', TPM_MODELS);
  if (model === 'tpm-crb' && version !== '2.0') {
    throw invalid(fieldOf(source, 'hw:tpm_model'), `is tpm-crb, which needs TPM version 2.0, not ${version}`);
  }
  requireTrait(draft, `COMPUTE_SECURITY_TPM_${version.replace('.', '_')}`, source, 'hw:tpm_version');
  const trait = model === 'tpm-crb' ? 'COMPUTE_SECURITY_TPM_CRB' : 'COMPUTE_SECURITY_TPM_TIS';
  requireTrait(draft, trait, source, model === null ? 'hw:tpm_version' : 'hw:tpm_model');
}

function addSocketAffinity(draft: RequestDraft, source: FlavorAndImage): void {
  const key = 'hw:pci_numa_affinity_policy';
  if (agreedValue(source, key, PCI_NUMA_POLICIES) !== 'socket') return;
  requireTrait(draft, 'COMPUTE_SOCKET_PCI_NUMA_AFFINITY', source, key);
}

function addSecureBoot(draft: RequestDraft, source: FlavorAndImage): void {
  const key = 'os:secure_boot';
  if (agreedValue(source, key, SECURE_BOOT) !== 'required') return;
  requireTrait(draft, 'COMPUTE_SECURITY_UEFI_SECURE_BOOT', source, key);
}

function addAddressSpace(draft: RequestDraft, source: FlavorAndImage): void {
  const key = 'hw:maxphysaddr_mode';
  const mode = agreedValue(source, key, MAXPHYSADDR_MODES);
  if (mode === null) return;
  const trait = mode === 'emulate' ? 'COMPUTE_ADDRESS_SPACE_EMULATED' : 'COMPUTE_ADDRESS_SPACE_PASSTHROUGH';
  requireTrait(draft, trait, source, key);
}

/** Only the image can request stateless firmware, and it has an effect only with UEFI. */
function addStatelessFirmware(draft: RequestDraft, { image }: FlavorAndImage): void {
  const property = 'hw_firmware_stateless';
  const field = imagePropertyField(property);
  const text = imageProperty(image, property);
  if (text === null) return;
  const isStateless = booleanOf(text);
  if (isStateless === null && !draft.lenient) throw invalid(field, `must be true or false, not '${text}'`);
  if (isStateless !== true) return;
  if (imageProperty(image, 'hw_firmware_type') !== 'uefi') {
    draft.ignored.push({ field, why: 'it needs hw_firmware_type=uefi' });
    return;
  }
  draft.addTrait('', { name: 'COMPUTE_SECURITY_STATELESS_FIRMWARE', kind: 'required', field });
}
