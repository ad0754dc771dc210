/**
 * Node flags for `npm start`, the container image, the systemd unit and the suites that run the built service. A
 * collection of the young generation blocks the event loop while it copies live objects; a smaller semi-space shortens
 * it. Node reads the flag before any code runs. Without it (`npx berth serve`) the longest collections take about 20 ms
 * more. V8's memory reducer collects the whole heap several times a minute in a process that does little, such as a
 * scheduler that follows a large cloud: 5.5 instead of 4.1 % of a core. Stack traces name the compiled files, which have
 * the names of the sources: with `--enable-source-maps` Node reads the map of every file at the start (15 MiB).
 */
export const NODE_FLAGS = ['--max-semi-space-size=6', '--no-memory-reducer'];
