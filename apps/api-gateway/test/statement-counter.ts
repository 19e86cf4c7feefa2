import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/** Client messages that make PostgreSQL run a statement: Execute, and simple Query (protocol 3.0, message formats). */
const RUNS = new Set(['E', 'Q']);
const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;

/** A proxy in front of a database that counts the statements that pass through it. */
export interface StatementCounter {
  /** The connection string of the database through this proxy. */
  readonly url: string;
  /** Number of statements so far, including begin and commit of transactions. */
  statements(): number;
  close(): void;
}

export async function countStatements(databaseUrl: string, port: number): Promise<StatementCounter> {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get('host');
  const databasePort = Number(url.port || 5432);
  const target: NetConnectOpts = folder
    ? { path: `${folder}/.s.PGSQL.${databasePort}` }
    : { host: url.hostname, port: databasePort };
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(port);

  let statements = 0;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target);
    const read = messageReader((type) => (statements += RUNS.has(type) ? 1 : 0));
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket
        .setNoDelay(true)
        .on('error', () => undefined)
        .on('close', () => [near, far].forEach((end) => end.destroy()));
    }
    near.on('data', (bytes: Buffer) => {
      read(bytes);
      far.write(bytes);
    });
    far.pipe(near);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: url.toString(),
    statements: () => statements,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Reports the type of each message of one connection, however its bytes are split. */
function messageReader(tell: (type: string) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  // The first message, which opens the session, has no type.
  let typeBytes = 0;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= typeBytes + LENGTH_BYTES) {
      const length = typeBytes + rest.readInt32BE(typeBytes);
      if (rest.length < length) return;
      if (typeBytes > 0) tell(String.fromCharCode(rest[0] ?? 0));
      rest = rest.subarray(length);
      typeBytes = TYPE_BYTES;
    }
  };
}
