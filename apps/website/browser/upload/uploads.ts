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
import type { UploadOutcome, Sending } from './sender';

/** The side effects of the queue. */
export interface UploadActions {
  send(sending: Sending): Promise<UploadOutcome>;
  discard(slug: string): void;
}

/** Runs the queue: executes its commands and reports the results to it. */
export class Uploads {
  private queue: Queue;
  private readonly files = new Map<number, File>();
  private readonly uploadsInProgress = new Map<number, AbortController>();
  private readonly listeners: ((queue: Queue) => void)[] = [];
  private lastId = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly actions: UploadActions,
    online: boolean,
    largest: LargestFile,
  ) {
    this.queue = emptyQueue(online, largest);
  }

  get now(): Queue {
    return this.queue;
  }

  /** The listener is called after every change. */
  onChange(listener: (queue: Queue) => void): void {
    this.listeners.push(listener);
  }

  /** Adds files to the queue. Returns how many of them were already in it. */
  add(files: readonly File[]): number {
    const before = this.queue.items.length;
    const fresh = files.map((file) => this.register(file));
    this.dispatch({ type: 'added', files: fresh });
    return files.length - (this.queue.items.length - before);
  }

  /** Puts a file in the place of another, which is deleted from the service. Returns its item. */
  replace(id: number, file: File): NewFile {
    const by = this.register(file);
    this.dispatch({ type: 'replaced', id, by });
    return by;
  }

  nextId(): number {
    return ++this.lastId;
  }

  fileOf(id: number): File | undefined {
    return this.files.get(id);
  }

  /** Retries all failed files. */
  retryAll(): void {
    for (const { id, stage } of this.queue.items) if (stage.name === 'failed') this.retry(id);
  }

  retry(id: number): void {
    this.dispatch({ type: 'retried', id, key: freshKey() });
  }

  dispatch(event: QueueEvent): void {
    const { queue, commands } = step(this.queue, event, Date.now());
    this.queue = queue;
    for (const command of commands) this.execute(command);
    this.forgetFiles();
    this.scheduleWake();
    for (const listener of this.listeners) listener(this.queue);
  }

  private register(file: File): NewFile {
    const id = this.nextId();
    this.files.set(id, file);
    return { id, key: freshKey(), file: { name: file.name, size: file.size, modified: file.lastModified } };
  }

  private execute(command: Command): void {
    switch (command.type) {
      case 'send':
        return void this.send(command.id, command.attempt);
      case 'abort':
        return this.uploadsInProgress.get(command.attempt)?.abort();
      case 'discard':
        return this.actions.discard(command.slug);
    }
  }

  private async send(id: number, attempt: number): Promise<void> {
    const [file, item] = [this.files.get(id), this.queue.items.find((other) => other.id === id)];
    if (!file || !item) return;
    const abort = new AbortController();
    this.uploadsInProgress.set(attempt, abort);
    try {
      const outcome = await this.actions.send({
        file,
        key: item.key,
        signal: abort.signal,
        onProgress: (sent, total) => this.dispatch({ type: 'progressed', id, attempt, sent, total }),
      });
      this.dispatch({ ...outcome, id, attempt });
    } catch (error) {
      if (!abort.signal.aborted) throw error;
    } finally {
      this.uploadsInProgress.delete(attempt);
    }
  }

  /** Releases files that are no longer on the page, so that their memory can be freed. */
  private forgetFiles(): void {
    if (this.files.size === this.queue.items.length) return;
    const kept = new Set(this.queue.items.map(({ id }) => id));
    for (const id of this.files.keys()) if (!kept.has(id)) this.files.delete(id);
  }

  private scheduleWake(): void {
    clearTimeout(this.timer);
    const at = nextWake(this.queue, Date.now());
    if (at !== null) this.timer = setTimeout(() => this.dispatch({ type: 'time' }), at - Date.now());
  }
}

/** 128 random bits. `crypto.randomUUID` is missing on pages over plain HTTP. */
const freshKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
