import { type PostgresProxy, startPostgresProxy } from '@vitrine/testing';

/** Client messages that make PostgreSQL run a statement: Execute, and simple Query (protocol 3.0, message formats). */
const RUNS = new Set(['E', 'Q']);
const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;

/** A proxy in front of a database that counts the statements that pass through it. */
export interface StatementCounter extends PostgresProxy {
  /** Number of statements so far, including begin and commit of transactions. */
  statements(): number;
}

export async function countStatements(databaseUrl: string): Promise<StatementCounter> {
  let statements = 0;
  const proxy = await startPostgresProxy(databaseUrl, (send) => {
    const read = messageReader((type) => (statements += RUNS.has(type) ? 1 : 0));
    return (bytes) => {
      read(bytes);
      send(bytes);
    };
  });
  return { ...proxy, statements: () => statements };
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
