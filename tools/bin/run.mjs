// node run.mjs PRODUCT[/TOOL] [arguments]: builds, then runs the program of that folder of tools.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { command, CommandError, loadEnvFile, prepare, root, run, stopRequests } from './workspace.mjs';

await command(async () => {
  const { interrupted } = stopRequests();
  const [name, ...args] = process.argv.slice(2);
  if (!/^[a-z-]+(\/[a-z-]+)?$/.test(name ?? ''))
    throw new CommandError('The name of the tool is missing: node tools/bin/run.mjs PRODUCT[/TOOL]');
  loadEnvFile();
  await prepare({ chatter: 2, signal: interrupted, tools: true });

  const [product, tool = ''] = name.split('/');
  const file = join(root, 'tools', product, 'dist', tool, 'main.js');
  if (!existsSync(file)) throw new CommandError(`There is no tool ${name}.`);
  process.exitCode = await run([process.execPath], [file, ...args], { signal: interrupted });
});
