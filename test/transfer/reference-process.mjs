// The installed OpenStack Placement as a process of its own, for suites that run in CommonJS. Arguments: the address of the
// database server, and the name of an existing database. Prints the address, and stops at the end of the input.
import { startReference } from './reference-service.mjs';

const [server, database] = process.argv.slice(2);
const reference = await startReference(new URL(server), database);
process.stdin.once('end', () => void reference.stop().then(() => process.exit(0)));
process.stdin.resume();
process.stdout.write(`${reference.url}\n`);
