import { byName, COUNT, TEXT } from '../../platform/http/answer-schemas';
import { DATED, registered } from '../registry.responses';

export const FLAVOR = registered('Flavor', {
  id: TEXT,
  name: TEXT,
  vcpus: COUNT,
  memory_mb: COUNT,
  root_gb: COUNT,
  ephemeral_gb: COUNT,
  swap: COUNT,
  extra_specs: byName(TEXT),
  ...DATED,
});
