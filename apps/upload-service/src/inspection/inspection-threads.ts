import { Worker } from 'node:worker_threads';
import { FairSlots } from '@vitrine/concurrency';
import { afterProcessorTime } from './thread-time';

const MEMORY_LIMIT_MB = 256;
/** Buffers are outside of the heap; only frequent small collections free them. */
const YOUNG_LIMIT_MB = 4;

export interface ThreadSettings {
  /** The program of a thread: it posts `threadId()` once it is ready, and then one answer for each question. */
  readonly program: string;
  readonly threads: number;
  /** Milliseconds of processor time for one answer; the start of a thread doesn't count. */
  readonly timeLimit: number;
}

/** A thread that is ready for its first question. */
interface Thread {
  readonly worker: Worker;
  readonly id: number | null;
}

/** The outcome of a question: the answer, or why there is none. */
export type Answered<Answer> =
  | { readonly answer: Answer }
  | { readonly failure: 'overran' }
  | { readonly failure: 'died'; readonly why: string };

/**
 * Threads that answer one question at a time. A thread is replaced if it exceeds the time limit, or if a file crashes it.
 *
 * A pool such as piscina would need as much code around it: it starts tasks in their order or by priority, but not in turns
 * between uploaders, and it counts the start of a replacement thread as time of its first file.
 */
export class InspectionThreads<Answer> {
  private readonly slots: FairSlots;
  private readonly idle: Promise<Thread>[] = [];
  private readonly workers = new Set<Worker>();
  private isStopped = false;

  constructor(private readonly settings: ThreadSettings) {
    this.slots = new FairSlots(settings.threads);
  }

  start(): void {
    for (let i = 0; i < this.settings.threads; i++) this.idle.push(this.startThread());
  }

  /** Ends all threads; what still waits for an answer gets none. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all([...this.workers].map((worker) => worker.terminate()));
  }

  /** Asks a thread as soon as it is the caller's turn. No caller gets the last free thread. */
  ask(caller: string, question: string): Promise<Answered<Answer>> {
    return this.slots.run(caller, async () => {
      if (this.isStopped) return { failure: 'died', why: 'the threads have been stopped' };
      const thread = this.idle.shift() ?? this.startThread();
      let worker: Worker | undefined;
      const answered = await thread.then(
        (ready) => {
          worker = ready.worker;
          return this.askThread(ready, question);
        },
        (error: Error): Answered<Answer> => ({ failure: 'died', why: error.message }),
      );
      if ('answer' in answered) this.idle.push(thread);
      else {
        await worker?.terminate();
        if (!this.isStopped) this.idle.push(this.startThread());
      }
      return answered;
    });
  }

  private askThread({ worker, id }: Thread, question: string): Promise<Answered<Answer>> {
    return new Promise((resolve) => {
      const settle = (answered: Answered<Answer>): void => {
        stopTimer();
        worker.off('message', onAnswer).off('error', onError).off('exit', onExit);
        resolve(answered);
      };
      const onAnswer = (answer: Answer): void => settle({ answer });
      const onError = ({ message }: Error): void => settle({ failure: 'died', why: message });
      const onExit = (): void => settle({ failure: 'died', why: 'it has ended' });
      // The clock says little: other work may have the processor.
      const stopTimer = afterProcessorTime(id, this.settings.timeLimit, () => settle({ failure: 'overran' }));
      worker.on('message', onAnswer).on('error', onError).on('exit', onExit);
      worker.postMessage(question);
    });
  }

  private startThread(): Promise<Thread> {
    const worker = new Worker(this.settings.program, {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB, maxYoungGenerationSizeMb: YOUNG_LIMIT_MB },
    });
    // A caller that waits for the answer gets the error as well; the error of an idle thread must not end the process.
    worker.on('error', () => undefined);
    worker.unref();
    this.workers.add(worker);
    const ready = new Promise<Thread>((resolve, reject) => {
      worker.once('message', (id: number | null) => resolve({ worker, id }));
      worker.once('exit', () => reject(new Error('it has ended before it began')));
    });
    worker.once('exit', () => {
      this.workers.delete(worker);
      const at = this.idle.indexOf(ready);
      if (at >= 0) this.idle.splice(at, 1);
    });
    ready.catch(() => undefined);
    return ready;
  }
}
