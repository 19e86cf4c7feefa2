// Does what npm run admin does after the build, with the given folder of fake processes.
import { command, stopRequests } from '../../bin/workspace.mjs';
import { runBesideStack } from '../../dev/dist/operator/main.js';

await command(async () => {
  const { interrupted } = stopRequests();
  const [root, ...args] = process.argv.slice(2);
  await runBesideStack({ root, program: 'tools/tool.cjs', args, interrupted });
});
