// A fake process of Vitrine: it is ready at once, shows its environment, and takes a moment to stop.
// FAKE_BOOT_FAILURE names the service that can't start.
const { createServer } = require('node:http');
const { basename, dirname } = require('node:path');

const name = basename(dirname(dirname(process.argv[1])));
if (process.env.FAKE_BOOT_FAILURE === name) {
  console.error('the fake can not start');
  process.exitCode = 1;
} else {
  const server = createServer((request, response) => {
    if (request.url === '/environment') response.end(JSON.stringify(process.env));
    else if (request.url === '/variables-at-load') response.end(JSON.stringify(globalThis.variablesAtLoad));
    else response.end('{}');
  });
  server.listen(Number(process.env.MANAGEMENT_PORT), '127.0.0.1', () => console.log(`up as ${process.pid}`));
  process.on('SIGTERM', () => {
    setTimeout(() => {
      console.log('drained');
      server.close();
      server.closeAllConnections();
    }, 200);
  });
}
