/**
 * What Node is started with where the service is started by us: `npm start`, the image, the unit of systemd and the
 * suites of built services. A collection of the young generation copies what lives, and nobody has a turn meanwhile: in a
 * smaller one it is over sooner. Node reads that before any of our code runs; without it (`npx berth serve`) the longest
 * collections take some 20 ms more.
 */
export const NODE_FLAGS = ['--enable-source-maps', '--max-semi-space-size=6'];
