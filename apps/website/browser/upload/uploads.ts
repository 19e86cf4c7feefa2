import {
  type Command,
  emptyQueue,
  type LargestFile,
  type NewFile,
  nextWake,
  type Queue,
  type QueueEvent,
  step,
} from './queue';
import type { Outcome, Sending } from './sender';

/** The world, as far as the queue acts on it. */
export interface World {
  send(sending: Sending): Promise<Outcome>;
  discard(slug: string): void;
}

/** Runs the queue: does what it commands, and tells it what came of that. */
export class Uploads {
  private queue: Queue;
  private readonly files = new Map<number, File>();
  private readonly underWay = new Map<number, AbortController>();
  private readonly listeners: ((queue: Queue) => void)[] = [];
  private lastId = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly world: World,
    online: boolean,
    largest: LargestFile,
  ) {
    this.queue = emptyQueue(online, largest);
  }

  get now(): Queue {
    return this.queue;
  }

  /** Called after every change. */
  onChange(listener: (queue: Queue) => void): void {
    this.listeners.push(listener);
  }

  /** Takes files into the queue, and returns how many of them were in it already. */
  add(files: readonly File[]): number {
    const before = this.queue.items.length;
    const fresh = files.map((file): NewFile => {
      const id = this.nextId();
      this.files.set(id, file);
      return {
        id,
        key: freshKey(),
        file: { name: file.name, size: file.size, modified: file.lastModified },
      };
    });
    this.tell({ type: 'added', files: fresh });
    return files.length - (this.queue.items.length - before);
  }

  nextId(): number {
    return ++this.lastId;
  }

  fileOf(id: number): File | undefined {
    return this.files.get(id);
  }

  /** By hand, all that failed. */
  retryAll(): void {
    for (const { id, stage } of this.queue.items) if (stage.name === 'failed') this.retry(id);
  }

  retry(id: number): void {
    this.tell({ type: 'retried', id, key: freshKey() });
  }

  tell(event: QueueEvent): void {
    const { queue, commands } = step(this.queue, event, Date.now());
    this.queue = queue;
    for (const command of commands) this.carryOut(command);
    this.forgetFiles();
    this.wakeInTime();
    for (const listener of this.listeners) listener(this.queue);
  }

  private carryOut(command: Command): void {
    switch (command.type) {
      case 'send':
        return void this.send(command.id, command.attempt);
      case 'abort':
        return this.underWay.get(command.attempt)?.abort();
      case 'discard':
        return this.world.discard(command.slug);
    }
  }

  private async send(id: number, attempt: number): Promise<void> {
    const [file, item] = [this.files.get(id), this.queue.items.find((other) => other.id === id)];
    if (!file || !item) return;
    const abort = new AbortController();
    this.underWay.set(attempt, abort);
    try {
      const outcome = await this.world.send({
        file,
        key: item.key,
        signal: abort.signal,
        onProgress: (sent, total) => this.tell({ type: 'progressed', id, attempt, sent, total }),
      });
      this.tell({ ...outcome, id, attempt });
    } catch (error) {
      if (!abort.signal.aborted) throw error;
    } finally {
      this.underWay.delete(attempt);
    }
  }

  /** What is off the page is let go of, or hundreds of pictures would stay in reach. */
  private forgetFiles(): void {
    if (this.files.size === this.queue.items.length) return;
    const kept = new Set(this.queue.items.map(({ id }) => id));
    for (const id of this.files.keys()) if (!kept.has(id)) this.files.delete(id);
  }

  private wakeInTime(): void {
    clearTimeout(this.timer);
    const at = nextWake(this.queue, Date.now());
    if (at !== null) this.timer = setTimeout(() => this.tell({ type: 'time' }), at - Date.now());
  }
}

/** 128 random bits; `crypto.randomUUID` is missing on pages that came over plain HTTP. */
const freshKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
