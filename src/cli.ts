// Entry point of the command `berth`, for the tasks of an operator.
import 'reflect-metadata';
import { runCli } from './cli/program';

runCli(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`berth: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
