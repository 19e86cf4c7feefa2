import 'reflect-metadata';
import { runAdmin } from './run-admin';

/** Longest time for connections to close after the command. */
const END_TIMEOUT_MS = 3_000;

const writeTo = (stream: NodeJS.WriteStream) => (line: string) => void stream.write(`${line}\n`);

void runAdmin(process.argv.slice(2), {
  print: writeTo(process.stdout),
  complain: writeTo(process.stderr),
}).then((status) => {
  process.exitCode = status;
  // The callback runs when everything before it is written.
  process.stdout.write('', () => process.stderr.write('', endSoon));
});

/** A last resort: a connection to an engine that doesn't answer must not keep the process alive. */
function endSoon(): void {
  setTimeout(() => {
    // All output is written by now.
    // eslint-disable-next-line no-restricted-properties
    process.exit();
  }, END_TIMEOUT_MS).unref();
}
