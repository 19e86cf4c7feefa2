import { StorageUnavailableError } from './storage-errors';

/**
 * How many files are on their way into a bucket at a time: each has its buffers, and their sum is the memory that
 * uploads take. Who waits too long is told that the storage is too slow, rather than kept for as long as it takes.
 */
export class UploadSlots {
  private readonly waiting = new Set<() => void>();

  constructor(
    private free: number,
    private readonly patienceMs: number,
  ) {}

  /** Throws `StorageUnavailableError` where no slot came free in time. */
  async run<Result>(upload: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free--;
    else await this.wait();
    try {
      return await upload();
    } finally {
      this.handOn();
    }
  }

  private wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(enter);
        reject(new StorageUnavailableError(`No turn to store within ${this.patienceMs} ms`));
      }, this.patienceMs);
      this.waiting.add(enter);
    });
  }

  private handOn(): void {
    const [next] = this.waiting;
    if (!next) this.free++;
    else {
      this.waiting.delete(next);
      next();
    }
  }
}
