import 'reflect-metadata';
import { runAdmin } from './run-admin';

/** How long connections may take to end once the command is done. */
const END_TIMEOUT_MS = 3_000;

const writeTo = (stream: NodeJS.WriteStream) => (line: string) => void stream.write(`${line}\n`);

void runAdmin(process.argv.slice(2), {
  print: writeTo(process.stdout),
  complain: writeTo(process.stderr),
}).then((status) => {
  process.exitCode = status;
  // Called once everything before it is written.
  process.stdout.write('', () => process.stderr.write('', endSoon));
});

/** A last resort: a connection to an engine that never answers must not keep the command's caller waiting. */
function endSoon(): void {
  setTimeout(() => {
    // All is done and written by now.
    // eslint-disable-next-line no-restricted-properties
    process.exit();
  }, END_TIMEOUT_MS).unref();
}
