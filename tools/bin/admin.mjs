// npm run admin: the operator's tool, beside the running Vitrine or with a database of its own for as long as it takes.
import { command, loadEnvFile, prepare, root, stopRequests } from './workspace.mjs';

await command(async () => {
  const { interrupted } = stopRequests();
  loadEnvFile();
  // Its output may be piped on, so that of the build keeps out of it.
  await prepare({ chatter: 2, signal: interrupted });
  const { runBesideStack } = await import('../dist/operator/main.js');
  await runBesideStack({ root, program: 'admin/main.js', args: process.argv.slice(2), interrupted });
});
