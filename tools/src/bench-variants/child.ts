import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const PAGE_BYTES = 4096;

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
    let answer = await this.hear();
    while (answer.type === 'progress') answer = await this.hear();
    if (answer.type !== 'done') throw new Error(JSON.stringify(answer));
    return performance.now() - began;
  }

  private async hear(): Promise<{ readonly type: string }> {
    const [answer] = (await once(this.process, 'message')) as [{ type: string }];
    return answer;
  }

  /** Mebibytes of resident memory, now. */
  residentMemory(): number {
    const status = readFileSync(`/proc/${this.process.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
  }

  /** Mebibytes of resident memory of the process and of the programs that it has started, now. */
  residentMemoryOfAll(): number {
    return this.process.pid === undefined ? 0 : (residentPages(this.process.pid) * PAGE_BYTES) / 1024 ** 2;
  }

  async stop(): Promise<void> {
    this.process.disconnect();
    await once(this.process, 'exit');
  }
}

function residentPages(pid: number): number {
  try {
    const own = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return children.reduce((sum, child) => sum + residentPages(Number(child)), own);
  } catch {
    // The process has ended meanwhile.
    return 0;
  }
}
