// Names of architectures, hypervisor types and VM modes that nova knows, and their synonyms.

const ARCHITECTURES: ReadonlySet<string> = new Set(
  (
    'aarch64 alpha armv6 armv7b armv7l cris i686 ia64 lm32 m68k microblaze microblazeel mips mipsel mips64 mips64el ' +
    'openrisc parisc parisc64 ppc ppcle ppc64 ppc64le ppcemb s390 s390x sh4 sh4eb sparc sparc64 unicore32 x86_64 ' +
    'xtensa xtensaeb'
  ).split(' '),
);
const HYPERVISOR_TYPES: ReadonlySet<string> = new Set(
  (
    'baremetal bhyve docker fake hyperv ironic kqemu kvm lxc lxd openvz parallels phyp prsm qemu test uml vbox vmware ' +
    'vz xen zvm'
  ).split(' '),
);
const VM_MODES: ReadonlySet<string> = new Set(['exe', 'hvm', 'uml', 'xen']);

const ARCHITECTURE_SYNONYMS: Readonly<Record<string, string>> = {
  i386: 'i686',
  i486: 'i686',
  i586: 'i686',
  x86_32: 'i686',
  x86_32p: 'i686',
  amd64: 'x86_64',
};
const HYPERVISOR_SYNONYMS: Readonly<Record<string, string>> = { xapi: 'xen' };
const VM_MODE_SYNONYMS: Readonly<Record<string, string>> = { pv: 'xen', hv: 'hvm', baremetal: 'hvm' };

type Canonical = (name: string) => string | null;

/** The name in lower case with synonyms resolved; null if it is unknown. */
function canonicalIn(known: ReadonlySet<string>, synonyms: Readonly<Record<string, string>>): Canonical {
  return (name) => {
    const lower = name.trim().toLowerCase();
    const canonical = Object.hasOwn(synonyms, lower) ? (synonyms[lower] ?? lower) : lower;
    return known.has(canonical) ? canonical : null;
  };
}

export const canonicalArchitecture = canonicalIn(ARCHITECTURES, ARCHITECTURE_SYNONYMS);
export const canonicalHypervisorType = canonicalIn(HYPERVISOR_TYPES, HYPERVISOR_SYNONYMS);
export const canonicalVmMode = canonicalIn(VM_MODES, VM_MODE_SYNONYMS);
