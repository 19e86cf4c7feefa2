import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Clients that take long over everything, or leave in the middle. */
export interface SlowOrder {
  readonly host: string;
  readonly port: number;
  /** Of the upload endpoint. */
  readonly uploadPath: string;
  /** Accounts that the slow ones are of, in turn. */
  readonly tokens: readonly string[];
  /** Accounts of those who abort: others, or they were told to come again before they had anything to abort. */
  readonly abortingTokens: readonly string[];
  readonly uploaders: number;
  readonly abortedUploads: number;
  /** Over which the aborted uploads spread evenly. */
  readonly abortingSeconds: number;
  /** Of a file that is large. */
  readonly readers: number;
  readonly filePath: string;
}

/** What became of them. */
export interface SlowReport {
  /** Answers to slow uploads before their end, by status. */
  readonly uploadsAnswered: Readonly<Record<string, number>>;
  readonly uploadsUnderWay: number;
  /** Uploads that were under way when their clients aborted them. */
  readonly aborted: number;
  /** Answers to others before that, by status. */
  readonly abortsAnswered: Readonly<Record<string, number>>;
  readonly readersUnderWay: number;
}

export interface SlowClients {
  /** Resolves when every slow client is there. */
  readonly arrived: Promise<unknown>;
  /** Has the aborting ones come and go; resolves when the last has gone. */
  abort(): Promise<unknown>;
  /** Has all of them leave, and tells what became of them. */
  leave(): Promise<SlowReport>;
}

/** Starts them in a process of their own. */
export function startSlowClients(order: SlowOrder): SlowClients {
  const child = fork(join(__dirname, 'slow-clients-process.js'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit').then(() => {
    throw new Error('The slow clients’ process has ended');
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
