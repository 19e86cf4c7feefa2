import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/**
 * The lowest possible cost of an upload on Node: accepts the same requests, and hashes and writes the bytes as they
 * arrive.
 */
const folder = process.argv[2]!;
let files = 0;

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = join(folder, `bare-${files++}`);
  const hash = createHash('sha256');
  await pipeline(
    request,
    async function* (body: AsyncIterable<Buffer>) {
      for await (const chunk of body) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(path),
  );
  response.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify(hash.digest('hex')));
  await unlink(path);
}

const server = createServer((request, response) => {
  take(request, response).catch((error: Error) => response.destroy(error));
});
server.listen(0, '127.0.0.1', () => process.send!(server.address()));
process.on('disconnect', () => server.close());
