import Ajv from 'ajv/dist/2020';
import { ApiVersion } from '../microversion/api-version';
import { since } from '../microversion/versioned-schema';
import { bodySchema, prepareBodySchemas } from './schema-validator';

it('every era of a body is compiled before anybody is served, and never again', () => {
  const compile = jest.spyOn(Ajv.prototype, 'compile');
  const fresh = bodySchema<object>({ type: 'object', properties: { mappings: since('mappings', { type: 'object' }) } });
  prepareBodySchemas();
  expect(compile).toHaveBeenCalled();
  compile.mockClear();
  for (const api of ApiVersion.all) fresh.check({}, api);
  expect(compile).not.toHaveBeenCalled();
});
