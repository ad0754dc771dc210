// The declared routes of the controllers as plain data: method, path, and in some versions the schema of body and
// query, or the field names of a class-validator document.
require('reflect-metadata');
const { getMetadataStorage } = require('class-validator');

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'];
const VERSIONS = ['1.0', '1.9', '1.12', '1.20', '1.28', '1.30', '1.36', '1.39'];

/** The caller passes `resolveSchema` and `MICROVERSIONS` of the build under test. */
exports.describeRoutes = (controllers, { resolveSchema, MICROVERSIONS }) => {
  const versions = MICROVERSIONS.all.filter(({ text }) => VERSIONS.includes(text));
  const inVersions = ({ schema }) => Object.fromEntries(versions.map((api) => [api.text, resolveSchema(schema, api)]));
  return controllers.flatMap((controller) =>
    methodNames(controller.prototype).flatMap((name) => {
      const handler = controller.prototype[name];
      if (typeof handler !== 'function' || !Reflect.hasMetadata('method', handler)) return [];
      if (METHODS[Reflect.getMetadata('method', handler)] === undefined) return [];
      const base = Reflect.getMetadata('path', controller);
      const own = Reflect.getMetadata('path', handler);
      const path = `/${[base, own]
        .map((part) => part.replaceAll(/^\/+|\/+$/g, ''))
        .filter(Boolean)
        .join('/')}`;
      const parameters = Object.values(Reflect.getMetadata('__routeArguments__', controller, name) ?? {});
      const pipes = parameters.flatMap((parameter) => parameter.pipes ?? []);
      const bodies = pipes.filter((pipe) => pipe.constructor.name === 'BodySchemaPipe');
      const queries = pipes.filter((pipe) => pipe.constructor.name === 'QuerySchemaPipe');
      const documents = pipes.filter((pipe) => pipe.constructor.name === 'DtoBodyPipe');
      return [
        {
          method: METHODS[Reflect.getMetadata('method', handler)],
          path,
          ...(bodies[0] && { body: inVersions(bodies[0].schema) }),
          ...(queries[0] && { query: inVersions(queries[0].schema) }),
          ...(documents[0] && { fields: fieldsOf(documents[0].type) }),
        },
      ];
    }),
  );
};

/** The names of all methods, including inherited ones. */
const methodNames = (prototype) =>
  prototype === Object.prototype
    ? []
    : [...new Set([...Object.getOwnPropertyNames(prototype), ...methodNames(Object.getPrototypeOf(prototype))])];

const fieldsOf = (type) => [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(type, '', true, false)
      .map(({ propertyName }) => propertyName),
  ),
];
