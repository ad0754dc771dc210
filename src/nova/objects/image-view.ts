// ImageMeta: an image with its properties. ImageMetaProps has the properties that nova knows, under their newest names
// and with types; the scheduler compares texts of the Image service.

import type { Image } from '../../scheduling-rules/request-spec/request-spec';
import type { FieldReader } from './field-reader';
import { scalarText } from './field-reader';
import type { NovaValue } from './versioned-object';
import { isList } from './versioned-object';

export function imageOf(image: FieldReader): Image {
  const properties = image.object('properties')?.all() ?? {};
  return {
    id: image.text('id'),
    name: image.text('name'),
    // nova writes an empty text for null.
    diskFormat: image.text('disk_format') || null,
    properties: Object.fromEntries(Object.entries(properties).flatMap(propertyTexts)),
  };
}

type Property = readonly [name: string, text: string];

function propertyTexts([name, value]: [string, NovaValue]): readonly Property[] {
  if (name === 'traits_required') return listOf(value).map((trait): Property => [`trait:${textOf(trait)}`, 'required']);
  // One property for each guest cell.
  if (name === 'hw_numa_cpus') return listOf(value).map((cpus, cell): Property => [`${name}.${cell}`, cpuList(cpus)]);
  if (name === 'hw_numa_mem') return listOf(value).map((memory, cell): Property => [`${name}.${cell}`, textOf(memory)]);
  return value === null ? [] : [[name, textOf(value)]];
}

const listOf = (value: NovaValue): readonly NovaValue[] => (isList(value) ? value : []);

const cpuList = (cpus: NovaValue): string =>
  listOf(cpus)
    .map(Number)
    .sort((one, other) => one - other)
    .join(',');

/** Block devices are lists of dictionaries; the Image service has them as JSON texts. */
const textOf = (value: NovaValue): string => scalarText(value) ?? JSON.stringify(value);
