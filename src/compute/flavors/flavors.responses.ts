import { byName, COUNT, TEXT } from '../../platform/http/answer-schemas';
import type { Members } from '../../platform/http/shown';
import { presenterOf } from '../../platform/http/shown';
import type { Flavor } from '../../scheduling-rules/request-spec/request-spec';
import { registered } from '../registry.responses';
import type { RegisteredFlavor } from './flavor.entity';
import type { FlavorFactsDto } from './flavors.schema';

interface FlavorBody extends FlavorFactsDto {
  readonly name: string | null;
}

const BODY: Members<Flavor, FlavorBody> = {
  name: [TEXT, ({ name }) => name],
  vcpus: [COUNT, ({ vcpus }) => vcpus],
  memory_mb: [COUNT, ({ memoryMb }) => memoryMb],
  root_gb: [COUNT, ({ rootGb }) => rootGb],
  ephemeral_gb: [COUNT, ({ ephemeralGb }) => ephemeralGb],
  swap: [COUNT, ({ swapMb }) => swapMb],
  extra_specs: [byName(TEXT), ({ extraSpecs }) => extraSpecs],
};

/** The part of a flavor that a client can also give inline in a request. */
export const flavorBody = presenterOf(BODY);

export const FLAVOR = registered<RegisteredFlavor>('Flavor', { id: [TEXT, ({ id }) => id], ...BODY });
