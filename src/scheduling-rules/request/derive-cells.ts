// Explicit cells in flavor or image: `hw:numa_cpus.N` and `hw:numa_mem.N` for every node N.

import { parseCpuList } from '../numa/cpu-list';
import { cpusOfFlavor, extraSpecField, imagePropertyField } from '../numa/cpu-policy';
import { invalid } from '../request-spec/request-refusal';
import type { Flavor, Image } from '../request-spec/request-spec';

export interface CellShare {
  readonly cpus: readonly number[];
  readonly memoryMb: number;
}

/** One node's value and its field. */
interface NodeValue {
  readonly field: string;
  readonly text: string;
}

type NodeValues = ReadonlyMap<number, NodeValue>;

/**
 * The shares in the order of the nodes; null without explicit shares. Every node needs both values, and together they
 * must cover all vCPUs and memory.
 */
export function cellsByHand(flavor: Flavor, image: Image | null, nodes: number): readonly CellShare[] | null {
  const cpus = nodeValues(flavor, image, 'numa_cpus');
  const memory = nodeValues(flavor, image, 'numa_mem');
  if (cpus.size + memory.size === 0) return null;
  for (const [node, { field }] of [...cpus, ...memory]) {
    if (node >= nodes) throw invalid(field, `names node ${node} of ${nodes}; the first is 0`);
  }
  const shares = Array.from({ length: nodes }, (_, node) => ({
    cpus: cpusOf(valueOf(cpus, node, 'numa_cpus'), flavor.vcpus),
    memoryMb: memoryOf(valueOf(memory, node, 'numa_mem')),
  }));
  refuseUnevenSums(flavor, shares, cpus);
  return shares;
}

/** The fields with explicit shares; without NUMA cells they have no effect. */
export function fieldsOfShares(flavor: Flavor, image: Image | null): readonly string[] {
  const isOfFlavor = (key: string): boolean => key.startsWith('hw:numa_cpus.') || key.startsWith('hw:numa_mem.');
  const isOfImage = (name: string): boolean => name.startsWith('hw_numa_cpus.') || name.startsWith('hw_numa_mem.');
  return [
    ...Object.keys(flavor.extraSpecs).filter(isOfFlavor).map(extraSpecField),
    ...Object.keys(image?.properties ?? {})
      .filter(isOfImage)
      .map(imagePropertyField),
  ];
}

/** Prefix of a key, and its field name in error messages. */
interface Spelling {
  readonly prefix: string;
  readonly fieldOf: (key: string) => string;
}

/** Values by node, all from the flavor or all from the image. */
function nodeValues(flavor: Flavor, image: Image | null, name: 'numa_cpus' | 'numa_mem'): NodeValues {
  const fromFlavor = numbered(flavor.extraSpecs, { prefix: `hw:${name}.`, fieldOf: extraSpecField });
  const fromImage = numbered(image?.properties ?? {}, { prefix: `hw_${name}.`, fieldOf: imagePropertyField });
  const [first] = fromImage;
  if (fromFlavor.length > 0 && first !== undefined) {
    throw invalid(first[1].field, `cannot be given together with the flavor's hw:${name}.N`);
  }
  return new Map([...fromFlavor, ...fromImage]);
}

function numbered(values: Readonly<Record<string, string>>, { prefix, fieldOf }: Spelling): [number, NodeValue][] {
  const keys = Object.keys(values).filter((key) => key.startsWith(prefix));
  return keys.map((key) => {
    const digits = key.slice(prefix.length);
    if (!/^\d{1,4}$/.test(digits)) throw invalid(fieldOf(key), `must end in the number of a node, not in '${digits}'`);
    return [Number(digits), { field: fieldOf(key), text: (values[key] ?? '').trim() }];
  });
}

function valueOf(values: NodeValues, node: number, name: string): NodeValue {
  const value = values.get(node);
  if (value === undefined) throw invalid(extraSpecField(`hw:${name}.${node}`), `is missing: every node needs one`);
  return value;
}

const cpusOf = ({ field, text }: NodeValue, vcpus: number): readonly number[] =>
  cpusOfFlavor(field, parseCpuList(text), vcpus);

function memoryOf({ field, text }: NodeValue): number {
  const memory = /^\d+$/.test(text) ? Number(text) : 0;
  if (memory >= 1) return memory;
  throw invalid(field, `must be a number of MiB above 0, not '${text}'`);
}

function refuseUnevenSums({ vcpus, memoryMb }: Flavor, shares: readonly CellShare[], values: NodeValues): void {
  const nodeOf = new Map<number, number>();
  for (const [node, { cpus }] of shares.entries()) {
    for (const cpu of cpus) {
      const other = nodeOf.get(cpu);
      if (other !== undefined) {
        throw invalid(values.get(node)?.field ?? '', `names CPU ${cpu}, which node ${other} has already`);
      }
      nodeOf.set(cpu, node);
    }
  }
  if (nodeOf.size < vcpus) {
    const left = Array.from({ length: vcpus }, (_, cpu) => cpu).filter((cpu) => !nodeOf.has(cpu));
    throw invalid(
      extraSpecField('hw:numa_cpus.0'),
      `must, with those of the other nodes, name the CPUs ${left.join(', ')} too`,
    );
  }
  const sum = shares.reduce((total, share) => total + share.memoryMb, 0);
  if (sum !== memoryMb) {
    const why = `must, with those of the other nodes, be ${memoryMb} MiB as the flavor is, not ${sum}`;
    throw invalid(extraSpecField('hw:numa_mem.0'), why);
  }
}
