import type { RejectionParams } from '../../placement/candidate-search';
import { PARAM_TEXT_SHOWN } from '../pipeline/limits';
import { requestSpec } from '../pipeline/pipeline.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import { computeCapabilitiesFilter } from './compute-capabilities.filter';
import { matchRequirement } from './extra-spec-operators';

const asking = (extraSpecs: Readonly<Record<string, string>>) => ({ flavor: { ...requestSpec().flavor, extraSpecs } });
const info = (cpuInfo: unknown) => ({ cpuInfo });
const shown = (extra_spec: string, wanted: string, attribute: string) => ({ extra_spec, wanted, attribute });
const missing = (spec: string, wanted: string, attribute: string) => ({
  code: 'capability_missing',
  params: { ...shown(spec, wanted, attribute), found: null },
});
const mismatch = (spec: string, wanted: string, attribute: string, found: string) => ({
  code: 'capability_mismatch',
  params: { ...shown(spec, wanted, attribute), found },
});
const matchOf = ({ found, wanted }: RejectionParams) => matchRequirement(String(found), String(wanted));
const LONG = 'x'.repeat(PARAM_TEXT_SHOWN);

describe('ComputeCapabilitiesFilter', () => {
  filterTable(computeCapabilitiesFilter, {
    reproduces: {
      capability_missing: { rejects: ({ found }) => found === null, unless: { found: '' } },
      capability_mismatch: {
        rejects: (params) => matchOf(params).kind === 'fails',
        unless: mismatch('capabilities:vcpus_total', '>= 4', 'vcpus_total', '4').params,
      },
      not_a_number: {
        rejects: (params) => matchOf(params).kind === 'error',
        unless: { found: '5', wanted: '>= 4' },
      },
      operator_without_operand: {
        rejects: (params) => matchOf(params).kind === 'error',
        unless: { found: '5', wanted: '>= 5' },
      },
    },
    rows: [
      {
        rule: 'a scoped number is compared with the attribute; = means at least',
        host: { freeRamMb: 2048 },
        spec: asking({ 'capabilities:free_ram_mb': '= 2048' }),
        verdict: 'pass',
        flip: {
          host: { freeRamMb: 2047 },
          verdict: mismatch('capabilities:free_ram_mb', '= 2048', 'free_ram_mb', '2047'),
        },
      },
      {
        rule: 'an operator without its blank is compared as text',
        host: { vcpusTotal: 10 },
        spec: asking({ 'capabilities:vcpus_total': '>=5' }),
        verdict: mismatch('capabilities:vcpus_total', '>=5', 'vcpus_total', '10'),
        flip: { spec: asking({ 'capabilities:vcpus_total': '>= 5' }), verdict: 'pass' },
      },
      {
        rule: 'keys of other scopes are ignored',
        spec: asking({ 'hw:vcpus_total': '>= 5' }),
        verdict: 'pass',
        flip: {
          spec: asking({ 'capabilities:vcpus_total': '>= 5' }),
          verdict: mismatch('capabilities:vcpus_total', '>= 5', 'vcpus_total', '0'),
        },
      },
      {
        rule: 'an un-scoped key is compared where the host state has that attribute, and ignored elsewhere',
        host: { vcpusTotal: 4 },
        spec: asking({ group_policy: 'none', vcpus: '>= 5' }),
        verdict: 'pass',
        flip: { spec: asking({ vcpus_total: '>= 5' }), verdict: mismatch('vcpus_total', '>= 5', 'vcpus_total', '4') },
      },
      {
        rule: 'an un-scoped key is compared where the stats of the host have it',
        host: { stats: {} },
        spec: asking({ colour: 'red' }),
        verdict: 'pass',
        flip: { host: { stats: { colour: 'blue' } }, verdict: mismatch('colour', 'red', 'colour', 'blue') },
      },
      {
        rule: 'an un-scoped attribute that is null rejects',
        host: { numaTopology: { cells: [] } },
        spec: asking({ numa_topology: "{'cells': []}" }),
        verdict: 'pass',
        flip: { host: { numaTopology: null }, verdict: missing('numa_topology', "{'cells': []}", 'numa_topology') },
      },
      {
        rule: 'a scoped key that nothing has rejects',
        host: { stats: { colour: 'red' } },
        spec: asking({ 'capabilities:colour': 'red' }),
        verdict: 'pass',
        flip: { host: { stats: {} }, verdict: missing('capabilities:colour', 'red', 'colour') },
      },
      {
        rule: 'paths lead into cpu_info, printed the Python way',
        host: info({ features: ['aes', 'avx2'] }),
        spec: asking({ 'capabilities:cpu_info:features': '<all-in> aes avx2' }),
        verdict: 'pass',
        flip: {
          host: info({ features: ['aes', 'avx'] }),
          verdict: mismatch(
            'capabilities:cpu_info:features',
            '<all-in> aes avx2',
            'cpu_info:features',
            "['aes', 'avx']",
          ),
        },
      },
      {
        rule: 'cpu_info may be JSON text; text that is no JSON rejects',
        host: info('{"topology": {"cores": 4}}'),
        spec: asking({ 'capabilities:cpu_info:topology:cores': '>= 4' }),
        verdict: 'pass',
        flip: {
          host: info('{"topology": {"cores": 4}'),
          verdict: missing('capabilities:cpu_info:topology:cores', '>= 4', 'cpu_info:topology:cores'),
        },
      },
      {
        rule: 'null anywhere on the path rejects',
        host: info({ topology: { cores: 4 } }),
        spec: asking({ 'capabilities:cpu_info:topology:cores': '>= 4' }),
        verdict: 'pass',
        flip: {
          host: info({ topology: null }),
          verdict: missing('capabilities:cpu_info:topology:cores', '>= 4', 'cpu_info:topology:cores'),
        },
      },
      {
        rule: 'hw:maxphysaddr_bits asks for at least so many address bits',
        host: info({ maxphysaddr: { bits: 46 } }),
        spec: asking({ 'hw:maxphysaddr_bits': '46' }),
        verdict: 'pass',
        flip: {
          host: info({ maxphysaddr: { bits: 45 } }),
          verdict: mismatch('hw:maxphysaddr_bits', '>= 46', 'cpu_info:maxphysaddr:bits', '45'),
        },
      },
      {
        rule: 'booleans print True and False; comparison is case-sensitive',
        host: info({ smt: true }),
        spec: asking({ 'capabilities:cpu_info:smt': 'True' }),
        verdict: 'pass',
        flip: {
          spec: asking({ 'capabilities:cpu_info:smt': 'true' }),
          verdict: mismatch('capabilities:cpu_info:smt', 'true', 'cpu_info:smt', 'True'),
        },
      },
      {
        rule: 'every spec must hold; the first that does not is told',
        host: { vcpusTotal: 4, hypervisorType: 'QEMU' },
        spec: asking({ 'capabilities:vcpus_total': '>= 4', 'capabilities:hypervisor_type': 's== QEMU' }),
        verdict: 'pass',
        flip: {
          host: { vcpusTotal: 3, hypervisorType: 'KVM' },
          verdict: mismatch('capabilities:vcpus_total', '>= 4', 'vcpus_total', '3'),
        },
      },
      {
        rule: 'a number operator on text that is no number rejects the host with a code of its own',
        host: { hypervisorType: 'QEMU' },
        spec: asking({ 'capabilities:hypervisor_type': '>= 5' }),
        verdict: {
          code: 'not_a_number',
          params: {
            ...shown('capabilities:hypervisor_type', '>= 5', 'hypervisor_type'),
            found: 'QEMU',
            operator: '>=',
          },
        },
        flip: { host: { hypervisorType: '5' }, verdict: 'pass' },
      },
      {
        rule: 'an operator without operand rejects the host',
        host: { hypervisorType: 'QEMU' },
        spec: asking({ 'capabilities:hypervisor_type': '<or>' }),
        verdict: {
          code: 'operator_without_operand',
          params: {
            ...shown('capabilities:hypervisor_type', '<or>', 'hypervisor_type'),
            found: 'QEMU',
            operator: '<or>',
          },
        },
        flip: { spec: asking({ 'capabilities:hypervisor_type': '<or> QEMU' }), verdict: 'pass' },
      },
      {
        rule: 'a long text found is cut',
        host: { stats: { long: `${LONG}y` } },
        spec: asking({ 'capabilities:long': 'z' }),
        verdict: mismatch('capabilities:long', 'z', 'long', `${LONG}…`),
        flip: { spec: asking({ 'capabilities:long': '<in> y' }), verdict: 'pass' },
      },
    ],
  });

  it('is skipped if the flavor has no extra specs, or only those of other scopes', () => {
    const asked = (extraSpecs: Readonly<Record<string, string>>) =>
      computeCapabilitiesFilter.applies(requestSpec(asking(extraSpecs)), {});
    expect([asked({}), asked({ 'hw:x': '1' }), asked({ x: '1' })]).toEqual([false, false, true]);
  });

  it('runs once per request', () => expect(computeCapabilitiesFilter.once).toBe(true));
});
