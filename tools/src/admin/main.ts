import 'reflect-metadata';
import { runAdmin } from './run-admin';

const writeTo = (stream: NodeJS.WriteStream) => (line: string) => void stream.write(`${line}\n`);

void runAdmin(process.argv.slice(2), {
  print: writeTo(process.stdout),
  complain: writeTo(process.stderr),
}).then((status) => {
  process.exitCode = status;
});
