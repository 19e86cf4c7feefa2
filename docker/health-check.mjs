// health-check.mjs [live|ready]: exit status 0 if the process of this container is live or ready.
import { get } from 'node:http';

const [probe = 'live'] = process.argv.slice(2);
const { MANAGEMENT_PORT: port } = process.env;

process.exitCode = 1;
const request = get({ host: '127.0.0.1', port, path: `/health/${probe}`, timeout: 3_000 }, (response) => {
  response.resume();
  if (response.statusCode === 200) process.exitCode = 0;
  request.destroy();
});
request.on('timeout', () => request.destroy());
request.on('error', () => undefined);
