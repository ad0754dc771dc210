// Generates the types of the client: reads the API document from standard input, writes TypeScript to standard output.
import { text } from 'node:stream/consumers';
import openapiTypes, { astToString } from 'openapi-typescript';

const HEADER = `// Made of the API document; do not edit it. \`npm run docs\` makes it again.
`;

const document = JSON.parse(await text(process.stdin));
process.stdout.write(HEADER + astToString(await openapiTypes(document)));
