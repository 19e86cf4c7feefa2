import type { AddressInfo } from 'node:net';
import express from 'express';

/** Express's own file server over a folder, as an application without a proxy would use it. */
const app = express();
app.use(express.static(process.argv[2]!, { immutable: true, maxAge: '1y' }));
const server = app.listen(0, '127.0.0.1', () => process.send!(server.address() as AddressInfo));
process.on('disconnect', () => {
  server.close();
  server.closeAllConnections();
});
