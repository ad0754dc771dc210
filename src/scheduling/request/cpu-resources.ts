// Dedicated CPUs as resources: PCPU instead of VCPU, and a condition on hyper-threading. The fallback query for hosts
// that do not report PCPU leaves this step out.

import {
  dedicatedCpuCount,
  effectiveCpuPolicy,
  effectiveThreadPolicy,
  emulatorThreadsIsolated,
  extraSpec,
  extraSpecField,
  imagePropertyField,
} from '../numa/cpu-policy';
import type { FlavorAndImage } from './flavor-image';
import type { RequestDraft } from './request-draft';

const HYPERTHREADING = 'HW_CPU_HYPERTHREADING';

/** Step 5. Isolated emulator threads take one dedicated CPU more. */
export function addCpuPolicy(draft: RequestDraft, { flavor, image }: FlavorAndImage): void {
  const policy = effectiveCpuPolicy(flavor, image);
  if (policy === 'dedicated' || policy === 'mixed') {
    const { resources } = draft.group('');
    const dedicated = dedicatedCpuCount(flavor, image);
    resources.set('PCPU', dedicated + (emulatorThreadsIsolated(flavor, image) ? 1 : 0));
    if (policy === 'mixed') resources.set('VCPU', flavor.vcpus - dedicated);
  }
  const threads = effectiveThreadPolicy(flavor, image);
  if (threads !== 'isolate' && threads !== 'require') return;
  const field =
    extraSpec(flavor, 'hw:cpu_thread_policy') === null
      ? imagePropertyField('hw_cpu_thread_policy')
      : extraSpecField('hw:cpu_thread_policy');
  draft.addTrait('', { name: HYPERTHREADING, kind: threads === 'isolate' ? 'forbidden' : 'required', field });
}
