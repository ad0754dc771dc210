import { FlavorPatchDto } from '../../compute/flavors/flavors.schema';
import { HostReportDto } from '../../compute/hosts/hosts.schema';
import { dtoSchemaOf } from '../../platform/http/dto-schema';
import { describeSchemasOf } from '../../platform/http/dto-schema.fixture';
import { BuildFailedDto, MoveDto } from '../after-decision/after-decision.schema';
import { CapacityDto } from '../capacity/capacity.schema';
import { SimulationDto } from '../simulate/simulation.schema';
import { SelectDestinationsDto } from './request.schema';

describeSchemasOf(SimulationDto, CapacityDto, MoveDto, BuildFailedDto, FlavorPatchDto);

it('knows where a name, or a word, may stand for a document', () => {
  const { properties } = dtoSchemaOf(SelectDestinationsDto).schema as { properties: Readonly<Record<string, unknown>> };
  const name = { type: 'string', minLength: 1, maxLength: 255 };
  expect(properties['flavor']).toEqual({ anyOf: [{ $ref: '#/components/schemas/InlineFlavor' }, name] });
  expect(properties['image']).toEqual({
    anyOf: [{ $ref: '#/components/schemas/InlineImage' }, name, { type: 'null' }],
  });
  expect(properties['numa_topology']).toEqual({
    anyOf: [{ $ref: '#/components/schemas/InstanceTopology' }, { const: 'auto' }, { type: 'null' }],
  });
  expect(dtoSchemaOf(HostReportDto).schema).toHaveProperty('properties.vcpus_total.anyOf.0', {
    type: 'integer',
    minimum: 0,
    maximum: 2_147_483_647,
  });
});
