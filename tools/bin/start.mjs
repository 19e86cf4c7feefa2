// npm start, npm run dev: everything from a fresh clone to a running Vitrine.
import { spawn } from 'node:child_process';
import { command, loadEnvFile, node, prepare, root, stopRequests } from './workspace.mjs';

await command(async () => {
  const { interrupted, orphaned } = stopRequests();
  const watch = process.argv.includes('--watch');
  loadEnvFile();
  await prepare({ signal: interrupted });

  const { supervise } = await import('../dist/supervisor/main.js');
  const compiler = watch ? watchSources(interrupted) : undefined;
  await supervise({ root, watch, orphaned });
  if (process.exitCode) compiler?.kill();
});

function watchSources(signal) {
  const [program, tsc] = node('typescript/bin/tsc');
  const compiler = spawn(program, [tsc, '-b', '--watch', '--preserveWatchOutput'], {
    cwd: root,
    signal,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  compiler.on('error', () => undefined);
  return compiler;
}
