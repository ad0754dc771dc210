// How swc compiles the files of the tests. It checks no types, `npm run typecheck` does.
module.exports = (parser) => ({
  swcrc: false,
  module: { type: 'commonjs' },
  jsc: {
    target: 'es2022',
    parser,
    keepClassNames: true,
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
});
