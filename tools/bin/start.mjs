// npm start, npm run dev: everything from a fresh clone to a running Vitrine.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { command, loadEnvFile, node, prepare, root, stopRequests } from './workspace.mjs';

await command(async () => {
  const { interrupted, orphaned } = stopRequests();
  const watch = process.argv.includes('--watch');
  loadEnvFile();
  // The compiler of `npm run dev` checks the types of all sources.
  await prepare({ signal: interrupted, tools: watch });

  const { supervise } = await import('../dev/dist/supervisor/main.js');
  const compilers = watch ? watchSources(interrupted) : [];
  await supervise({ root, watch, orphaned });
  if (process.exitCode) for (const compiler of compilers) compiler.kill();
});

/** The compiler, and the bundler of the browsers' scripts and styles. */
function watchSources(signal) {
  return [
    [...node('typescript/bin/tsc'), '-b', '--watch', '--preserveWatchOutput'],
    [process.execPath, join(root, 'apps/website/build-assets.mjs'), '--watch'],
  ].map(([program, ...args]) => {
    const compiler = spawn(program, args, { cwd: root, signal, stdio: ['ignore', 'inherit', 'inherit'] });
    compiler.on('error', () => undefined);
    return compiler;
  });
}
