// Does what npm start does after the build, with the given folder of fake processes.
import { command, stopRequests } from '../../bin/workspace.mjs';
import { supervise } from '../../dev/dist/supervisor/main.js';

await command(async () => {
  const { orphaned } = stopRequests();
  const [root, ...flags] = process.argv.slice(2);
  await supervise({ root, watch: flags.includes('--watch'), orphaned });
});
