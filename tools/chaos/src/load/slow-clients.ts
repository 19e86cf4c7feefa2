import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Clients that send or read slowly, or abort their uploads. */
export interface SlowOrder {
  readonly host: string;
  readonly port: number;
  /** The path of the upload endpoint. */
  readonly uploadPath: string;
  /** Sessions of the accounts of the slow clients, which use them in turn. */
  readonly tokens: readonly string[];
  /** Sessions for the aborted uploads: with the other ones, the limits of an account would refuse them. */
  readonly abortingTokens: readonly string[];
  readonly uploaders: number;
  readonly abortedUploads: number;
  /** The time over which the aborted uploads are spread evenly. */
  readonly abortingSeconds: number;
  /** Clients that read the file at `filePath` slowly. */
  readonly readers: number;
  readonly filePath: string;
}

/** What happened to the slow clients. */
export interface SlowReport {
  /** Answers to slow uploads before their end, by status. */
  readonly uploadsAnswered: Readonly<Record<string, number>>;
  readonly uploadsInProgress: number;
  /** Uploads that were in progress when their clients aborted them. */
  readonly aborted: number;
  /** Early answers to the uploads that were to be aborted, by status. */
  readonly abortsAnswered: Readonly<Record<string, number>>;
  readonly readersInProgress: number;
}

export interface SlowClients {
  /** Resolves when every slow client is connected. */
  readonly arrived: Promise<unknown>;
  /** Sends and aborts uploads; resolves after the last one. */
  abort(): Promise<unknown>;
  /** Disconnects all clients and resolves with the report. */
  leave(): Promise<SlowReport>;
}

/** Starts the slow clients in a separate process. */
export function startSlowClients(order: SlowOrder): SlowClients {
  const child = fork(join(__dirname, 'slow-clients-process.js'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit').then(() => {
    throw new Error('The process of the slow clients ended');
  });
  exited.catch(() => undefined);
  const answer = (): Promise<unknown[]> => Promise.race([once(child, 'message'), exited]);
  child.send(order);
  return {
    arrived: answer(),
    abort: () => {
      const done = answer();
      child.send('abort');
      return done;
    },
    leave: async () => {
      const report = answer();
      child.send('leave');
      return (await report)[0] as SlowReport;
    },
  };
}
