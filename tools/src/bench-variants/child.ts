import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** A child that answers one request at a time, run as media-processor runs its workers. */
export class Child {
  private readonly process: ChildProcess;

  private constructor(entry: string) {
    this.process = fork(entry, [], {
      // A leader of its group, as a worker expects to be.
      detached: true,
      env: { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' },
    });
  }

  static async start(entry: string): Promise<Child> {
    const child = new Child(entry);
    await once(child.process, 'message');
    return child;
  }

  /** Milliseconds from the request to its `done`. Throws with any other answer. */
  async ask(request: object): Promise<number> {
    const began = performance.now();
    this.process.send(request);
    const [answer] = (await once(this.process, 'message')) as [{ type: string }];
    if (answer.type !== 'done') throw new Error(JSON.stringify(answer));
    return performance.now() - began;
  }

  /** Mebibytes of resident memory, now. */
  residentMemory(): number {
    const status = readFileSync(`/proc/${this.process.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
  }

  async stop(): Promise<void> {
    this.process.disconnect();
    await once(this.process, 'exit');
  }
}
