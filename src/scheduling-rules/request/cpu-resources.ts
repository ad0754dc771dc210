// Dedicated CPUs as resources: PCPU instead of VCPU, and a condition on hyper-threading. The fallback query for hosts
// without PCPU skips this step.

import { dedicatedCpus, emulatorThreadsPolicy, namedCpuPolicy, namedThreadPolicy } from '../numa/cpu-policy';
import type { FlavorAndImage } from './flavor-image';
import { fieldsOf } from './flavor-image';
import type { RequestDraft } from './request-draft';

const HYPERTHREADING = 'HW_CPU_HYPERTHREADING';

/** Step 5. Isolated emulator threads take one more dedicated CPU. */
export function addCpuPolicy(draft: RequestDraft, { flavor, image }: FlavorAndImage): void {
  const policy = namedCpuPolicy(flavor, image);
  if (policy === 'dedicated' || policy === 'mixed') {
    const { resources } = draft.group('');
    const dedicated = dedicatedCpus(flavor, image, policy).length;
    resources.set('PCPU', dedicated + (emulatorThreadsPolicy(flavor) === 'isolate' ? 1 : 0));
    if (policy === 'mixed') resources.set('VCPU', flavor.vcpus - dedicated);
  }
  const threads = namedThreadPolicy(flavor, image);
  if (threads !== 'isolate' && threads !== 'require') return;
  const kind = threads === 'isolate' ? 'forbidden' : 'required';
  for (const field of fieldsOf({ flavor, image }, 'hw:cpu_thread_policy')) {
    draft.addTrait('', { name: HYPERTHREADING, kind, field });
  }
}
