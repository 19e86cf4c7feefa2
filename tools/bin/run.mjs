// node run.mjs NAME [arguments]: builds, then runs the tool of that name.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { command, CommandError, loadEnvFile, prepare, root, run, stopRequests } from './workspace.mjs';

await command(async () => {
  const { interrupted } = stopRequests();
  const [name, ...args] = process.argv.slice(2);
  if (!/^[a-z-]+(\/[a-z-]+)?$/.test(name ?? ''))
    throw new CommandError('The name of the tool is missing: node tools/bin/run.mjs NAME');
  loadEnvFile();
  await prepare({ chatter: 2, signal: interrupted, tools: true });

  const dist = join(root, 'tools/dist');
  const file = [join(dist, name, 'main.js'), join(dist, `${name}.js`)].find((path) => existsSync(path));
  if (!file) throw new CommandError(`There is no tool ${name}.`);
  process.exitCode = await run([process.execPath], [file, ...args], { signal: interrupted });
});
