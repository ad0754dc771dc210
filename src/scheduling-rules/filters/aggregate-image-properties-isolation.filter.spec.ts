import type { RejectionParams } from '../../placement/candidate-search';
import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import { aggregateImagePropertiesIsolation } from './aggregate-image-properties-isolation.filter';

const host = (...metadata: readonly Readonly<Record<string, string>>[]) => ({
  aggregates: hostInAggregates('h', ...metadata).aggregates,
});
const image = (properties: Readonly<Record<string, string>>) => ({
  image: { id: null, name: null, diskFormat: null, properties },
});
const configured = (namespace: string, separator = '.') => ({
  filter_scheduler: {
    aggregate_image_properties_isolation_namespace: namespace,
    aggregate_image_properties_isolation_separator: separator,
  },
});
const strict = (...properties: readonly string[]) => ({
  filter_scheduler: { aggregate_image_properties_isolation_strict: properties },
});
const contradicts = (property: string, wanted: string, ...found: readonly string[]) => ({
  code: 'property_contradicts',
  params: { property, wanted, found },
});
const noted = (code: string, params: RejectionParams) => ({ passed: true as const, note: { code, params } });
const WINDOWS = { os_type: 'windows' };
const LINUX = { os_type: 'linux' };

describe('AggregateImagePropertiesIsolation', () => {
  filterTable(aggregateImagePropertiesIsolation, {
    reproduces: {
      property_contradicts: {
        rejects: ({ wanted, found }) => !(found as readonly string[]).includes(String(wanted)),
        unless: contradicts('os_type', 'linux', 'windows', 'linux').params,
      },
      no_key: {
        rejects: ({ wanted, found }) => wanted !== null && found === null,
        unless: { property: 'os_type', wanted: null, found: null },
      },
      no_property: {
        rejects: ({ wanted, found }) => wanted === null && (found as readonly string[]).length > 0,
        unless: { property: 'os_type', wanted: 'linux', found: ['linux'] },
      },
    },
    rows: [
      {
        rule: 'a property must be among the values of the aggregates',
        host: host({ os_type: 'windows, linux' }),
        spec: image(LINUX),
        verdict: 'pass',
        flip: { host: host({ os_type: 'windows' }), verdict: contradicts('os_type', 'linux', 'windows') },
      },
      {
        rule: 'the values of all aggregates are united',
        host: host(WINDOWS, LINUX),
        spec: image(LINUX),
        verdict: 'pass',
        flip: { host: host(WINDOWS, WINDOWS), verdict: contradicts('os_type', 'linux', 'windows') },
      },
      {
        rule: 'open: a host in no aggregate passes, and says so',
        host: host(),
        spec: image(WINDOWS),
        verdict: noted('in_no_aggregate', { properties: ['os_type'] }),
        flip: { host: host(LINUX), verdict: contradicts('os_type', 'windows', 'linux') },
      },
      {
        rule: 'open: aggregates without the key pass, and say so',
        host: host({ other: 'x' }),
        spec: image(WINDOWS),
        verdict: noted('no_key', { properties: ['os_type'], aggregates: ['h-0'] }),
        flip: { host: host({ other: 'x' }, WINDOWS), verdict: 'pass' },
      },
      {
        rule: 'open: an image without the property that the aggregates name passes, and says so',
        host: host(WINDOWS),
        spec: image({}),
        verdict: noted('no_property', { keys: ['os_type'], aggregates: ['h-0'] }),
        flip: { spec: image(LINUX), verdict: contradicts('os_type', 'linux', 'windows') },
      },
      {
        rule: 'open both ways: both are told',
        host: host({ os_distro: 'debian' }),
        spec: image(WINDOWS),
        verdict: noted('no_key_and_no_property', {
          properties: ['os_type'],
          keys: ['os_distro'],
          aggregates: ['h-0'],
        }),
        flip: { spec: image({ os_distro: 'debian' }), verdict: 'pass' },
      },
      {
        rule: 'a request without an image has no property',
        host: host(WINDOWS),
        spec: { image: null },
        verdict: noted('no_property', { keys: ['os_type'], aggregates: ['h-0'] }),
        flip: { host: host({ other: 'x' }), verdict: 'pass' },
      },
      {
        rule: 'a key that is no image property is ignored',
        host: host({ rack: 'r1' }),
        spec: image({ rack: 'r2' }),
        verdict: 'pass',
        flip: {
          host: host({ hw_disk_bus: 'scsi' }),
          spec: image({ hw_disk_bus: 'ide' }),
          verdict: contradicts('hw_disk_bus', 'ide', 'scsi'),
        },
      },
      {
        rule: 'an empty property counts as unset',
        host: host(WINDOWS),
        spec: image({ os_type: '' }),
        verdict: noted('no_property', { keys: ['os_type'], aggregates: ['h-0'] }),
        flip: { spec: image({ os_type: ' ' }), verdict: contradicts('os_type', ' ', 'windows') },
      },
      {
        rule: 'a false boolean counts as unset, a true one is compared as True',
        host: host({ hw_boot_menu: 'true' }),
        spec: image({ hw_boot_menu: 'false' }),
        verdict: noted('no_property', { keys: ['hw_boot_menu'], aggregates: ['h-0'] }),
        flip: {
          spec: image({ hw_boot_menu: 'true' }),
          verdict: contradicts('hw_boot_menu', 'True', 'true'),
        },
      },
      {
        rule: 'values are compared exactly',
        host: host({ os_type: 'Windows' }),
        spec: image(WINDOWS),
        verdict: contradicts('os_type', 'windows', 'Windows'),
        flip: { host: host(WINDOWS), verdict: 'pass' },
      },
      {
        rule: 'an empty value of the metadata is a value like any other',
        host: host({ os_type: '' }),
        spec: image(WINDOWS),
        verdict: contradicts('os_type', 'windows', ''),
        flip: { host: host({ os_type: ',windows' }), verdict: 'pass' },
      },
      {
        rule: 'with a namespace other keys are ignored; with the default separator nothing ever matches',
        host: host(WINDOWS),
        spec: image(LINUX),
        options: configured('os'),
        verdict: 'pass',
        flip: { options: configured('os', '_'), verdict: contradicts('os_type', 'linux', 'windows') },
      },
      {
        rule: 'an empty namespace is none',
        host: host({ hw_disk_bus: 'scsi' }),
        spec: image({ hw_disk_bus: 'ide' }),
        options: configured('os', '_'),
        verdict: 'pass',
        flip: { options: configured('', '_'), verdict: contradicts('hw_disk_bus', 'ide', 'scsi') },
      },
      {
        rule: 'strict: aggregates without the key reject an image with the property',
        host: host({ other: 'x' }),
        spec: image(WINDOWS),
        options: strict('os_type'),
        verdict: {
          code: 'no_key',
          params: { property: 'os_type', wanted: 'windows', aggregates: ['h-0'], found: null },
        },
        flip: { host: host(WINDOWS), verdict: 'pass' },
      },
      {
        rule: 'strict: a host in no aggregate rejects an image with the property, and takes one without',
        host: host(),
        spec: image(WINDOWS),
        options: strict('os_type'),
        verdict: {
          code: 'no_key',
          params: { property: 'os_type', wanted: 'windows', aggregates: ['none'], found: null },
        },
        flip: { spec: image({}), verdict: 'pass' },
      },
      {
        rule: 'strict: an image without the property is rejected where the aggregates name it',
        host: host(WINDOWS),
        spec: image({}),
        options: strict('os_type'),
        verdict: { code: 'no_property', params: { property: 'os_type', wanted: null, found: ['windows'] } },
        flip: {
          options: strict('os_distro'),
          verdict: noted('no_property', { keys: ['os_type'], aggregates: ['h-0'] }),
        },
      },
      {
        rule: 'the properties that operators isolate by are told first, those about the image itself not at all',
        host: host(),
        spec: image({ hw_disk_bus: 'scsi', img_owner_id: 'x', 'trait:X': 'required', os_distro: 'd', os_type: 't' }),
        verdict: noted('in_no_aggregate', { properties: ['os_type', 'os_distro', 'hw_disk_bus'] }),
        flip: { spec: image({ img_owner_id: 'x', 'trait:X': 'required' }), verdict: 'pass' },
      },
    ],
  });

  it('runs once per request, and on rebuild checks', () => {
    const { once, rebuild } = aggregateImagePropertiesIsolation;
    expect([once, rebuild]).toEqual([true, true]);
  });
});
