// AggregateImagePropertiesIsolation: rejects hosts whose aggregates contradict the image. By itself it does not
// isolate: an aggregate without the key or an image without the property passes, with a note. For properties listed in
// an option such combinations are rejected.

import type { RejectionParams } from '../../placement/candidate-search';
import { memoize } from '../../platform/values/memoize';
import type { OptionValues } from '../../platform/values/options';
import { list, text } from '../../platform/values/options';
import type { HostAggregate } from '../host-state/host-state';
import { defineFilter } from '../pipeline/define-filter';
import type { FilterVerdict } from '../pipeline/verdict';
import { PASS } from '../pipeline/verdict';
import type { Image } from '../request-spec/request-spec';
import { isKnownImageProperty } from '../request/image-properties';
import { unitedMetadata } from './aggregate-metadata';
import { comparableText } from './image-property-texts';
import { shownList } from './shown-params';

const OPTIONS = {
  aggregate_image_properties_isolation_namespace: text(
    null,
    'Only metadata keys that start with it and the separator count; they are looked up in the image as they are.',
  ),
  aggregate_image_properties_isolation_separator: text('.', 'Separator between the namespace and the rest of the key.'),
  aggregate_image_properties_isolation_strict: list(
    [],
    'Properties that image and host aggregates must both name or both leave out, such as `os_type`.',
  ),
} as const;

const REJECTIONS = {
  property_contradicts: 'the image has {property} = "{wanted}"; the host aggregates take {found}',
  no_key:
    'the image has {property} = "{wanted}"; no host aggregate of the host ({aggregates}) has that key, as it must',
  no_property: 'the host aggregates take {property} = {found}; the image does not have that property, as it must',
} as const;
type Code = keyof typeof REJECTIONS;

const NOTES = {
  in_no_aggregate: 'passed because the host is in no host aggregate that could name {properties}',
  no_key: 'passed because the host aggregates {aggregates} have no key {properties}',
  no_property: 'passed because the image has no property {keys}, which the host aggregates {aggregates} name',
  no_key_and_no_property:
    'passed because the host aggregates {aggregates} have no key {properties}, and the image has no property {keys}',
} as const;

type Options = OptionValues<typeof OPTIONS>;
type Aggregates = readonly HostAggregate[];

export const aggregateImagePropertiesIsolation = defineFilter({
  name: 'AggregateImagePropertiesIsolation',
  summary: 'Rejects hosts whose host aggregates name a property of the image with other values.',
  options: OPTIONS,
  rejections: REJECTIONS,
  notes: NOTES,
  once: true,
  rebuild: true,
  reads: ['image.properties.os_type', 'image.properties.os_distro'],
  check: ({ aggregates }, { image }, { options }) => verdictsOf(options)(image ?? NO_IMAGE)(aggregates),
});

const NO_IMAGE: Image = Object.freeze({ id: null, name: null, diskFormat: null, properties: {} });

/** Hosts with the same aggregates share a verdict: 10 000 verdicts take 27 ms, 50 verdicts with lookups 0.9 ms. */
const verdictsOf = memoize((options: Options) =>
  memoize((image: Image) => memoize((aggregates: Aggregates) => judge(options, image, aggregates))),
);

function judge(options: Options, image: Image, aggregates: Aggregates): FilterVerdict<Code> {
  const metadata = unitedMetadata(aggregates);
  const names = shownList(aggregates.map(({ name }) => name));
  const keys = [...metadata.keys()].filter((key) => counts(key, options) && isKnownImageProperty(key));
  for (const key of keys) {
    const imageValue = comparableText(key, image.properties[key]);
    const found = metadata.get(key) ?? new Set<string>();
    if (imageValue === null || found.has(imageValue)) continue;
    return {
      passed: false,
      code: 'property_contradicts',
      params: { property: key, wanted: imageValue, found: shownList(found) },
    };
  }
  const open = openCombinations(keys, image, options);
  for (const property of options.aggregate_image_properties_isolation_strict) {
    if (open.properties.includes(property)) {
      const imageValue = comparableText(property, image.properties[property]);
      return {
        passed: false,
        code: 'no_key',
        params: { property, wanted: imageValue, aggregates: names.length === 0 ? ['none'] : names, found: null },
      };
    }
    if (open.keys.includes(property)) {
      const found = shownList(metadata.get(property) ?? []);
      return { passed: false, code: 'no_property', params: { property, wanted: null, found } };
    }
  }
  const note = noteOf(open, names);
  return note === null ? PASS : { passed: true, note };
}

/** With a namespace, only keys that start with it and the separator count. */
function counts(key: string, options: Options): boolean {
  const namespace = options.aggregate_image_properties_isolation_namespace;
  if (namespace === null || namespace === '') return true;
  return key.startsWith(`${namespace}${options.aggregate_image_properties_isolation_separator ?? ''}`);
}

interface OpenCombinations {
  /** Properties of the image that no aggregate has as a key. */
  readonly properties: readonly string[];
  /** Keys of the aggregates that the image has no property for. */
  readonly keys: readonly string[];
}

/** Properties that operators usually isolate by come first. */
const FIRST: readonly string[] = ['os_type', 'os_distro'];

function openCombinations(keys: readonly string[], image: Image, options: Options): OpenCombinations {
  const isSet = (name: string): boolean => comparableText(name, image.properties[name]) !== null;
  const named = new Set(keys);
  const others = Object.keys(image.properties).filter((name) => !FIRST.includes(name) && isAboutGuests(name));
  return {
    properties: [...FIRST, ...others].filter((name) => counts(name, options) && !named.has(name) && isSet(name)),
    keys: keys.filter((key) => !isSet(key)),
  };
}

/** Properties of the guest or its virtual hardware; neither properties of the image itself nor traits. */
const isAboutGuests = (name: string): boolean =>
  isKnownImageProperty(name) && (/^(os|hw)_/.test(name) || name === 'img_hv_type');

function noteOf(open: OpenCombinations, names: readonly string[]): { code: string; params: RejectionParams } | null {
  const [properties, keys] = [shownList(open.properties), shownList(open.keys)];
  if (properties.length > 0 && keys.length > 0) {
    return { code: 'no_key_and_no_property', params: { properties, keys, aggregates: names } };
  }
  if (keys.length > 0) return { code: 'no_property', params: { keys, aggregates: names } };
  if (properties.length === 0) return null;
  if (names.length === 0) return { code: 'in_no_aggregate', params: { properties } };
  return { code: 'no_key', params: { properties, aggregates: names } };
}
