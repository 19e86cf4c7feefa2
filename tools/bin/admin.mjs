// npm run admin: the admin tool. It uses the database of the running Vitrine, or starts the database while it runs.
import { command, loadEnvFile, prepare, root, stopRequests } from './workspace.mjs';

await command(async () => {
  const { interrupted } = stopRequests();
  loadEnvFile();
  // The output may be piped to another program, so the build writes to stderr.
  await prepare({ chatter: 2, signal: interrupted });
  const { runBesideStack } = await import('../dev/dist/operator/main.js');
  await runBesideStack({
    root,
    program: 'tools/admin/dist/main.js',
    args: process.argv.slice(2),
    interrupted,
  });
});
