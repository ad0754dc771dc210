// Entry point of the command `berth`, for the tasks of an operator.
import 'reflect-metadata';
import { runCli } from './cli/program';
import { errorLines } from './platform/values/printable';

// A reader that ends early, as `head` does, is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

runCli(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(errorLines(error));
    process.exitCode = 1;
  },
);
