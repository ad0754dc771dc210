import Ajv from 'ajv/dist/2020';
import { MicroversionTable } from '../microversion/microversion-table';
import { since } from '../microversion/versioned-schema';
import { bodySchema, prepareBodySchemas } from './schema-validator';

const { all: VERSIONS } = new MicroversionTable([
  { version: '1.0', features: [], summary: 'the oldest' },
  { version: '1.1', features: ['errorCodes'], summary: 'the newest' },
]);

it('every era of a body is compiled before the first request, and never again', () => {
  const compile = jest.spyOn(Ajv.prototype, 'compile');
  const fresh = bodySchema<object>({ type: 'object', properties: { codes: since('errorCodes', { type: 'object' }) } });
  prepareBodySchemas(VERSIONS);
  expect(compile).toHaveBeenCalled();
  compile.mockClear();
  for (const api of VERSIONS) fresh.check({}, api);
  expect(compile).not.toHaveBeenCalled();
});
