import {
  type Command,
  emptyQueue,
  type FileFacts,
  nextWake,
  type Queue,
  type QueueEvent,
  step,
  type UploadedMedia,
} from '../queue';

export const fileCalled = (name: string, size = 1000): FileFacts => ({ name, size, modified: 1 });
export const mediaCalled = (slug: string): UploadedMedia => ({
  id: Number.parseInt(slug, 36),
  slug,
  video: false,
  link: `https://files.example/${slug}.jpg`,
  thumb: `https://files.example/${slug}`,
  processed: false,
  status: 'pending',
  error: null,
});
const refusal = { reason: 'refused', message: 'No.' } as const;

/** Runs a queue with simulated uploads, a simulated service and a clock. */
export class QueueDriver {
  queue: Queue = emptyQueue(true, { bytes: 5000, words: '5 kB' });
  now = 1_000_000;
  readonly inProgress = new Map<number, number>();
  readonly discarded: string[] = [];
  /** Start times of the attempts. */
  readonly sentAt: { readonly id: number; readonly key: string; readonly at: number }[] = [];
  private lastId = 0;

  tell(event: QueueEvent): void {
    const { queue, commands } = step(this.queue, event, this.now);
    this.queue = queue;
    for (const command of commands) this.carryOut(command);
  }

  add(...files: readonly FileFacts[]): void {
    const fresh = files.map((file) => ({ id: ++this.lastId, key: `key-${this.lastId}`, file }));
    this.tell({ type: 'added', files: fresh });
  }

  /** Ends the current attempt of a file. */
  end(id: number, how: 'uploaded' | 'refused' | 'retryable' | 'limited' | 'loggedOut', afterMs = 0): void {
    const attempt = [...this.inProgress].find(([, file]) => file === id)?.[0];
    if (attempt === undefined) throw new Error(`File ${id} is not in progress`);
    this.inProgress.delete(attempt);
    const about = { id, attempt };
    switch (how) {
      case 'uploaded':
        return this.tell({ type: how, ...about, media: mediaCalled(`m${id}`) });
      case 'refused':
        return this.tell({ type: how, ...about, failure: refusal });
      case 'loggedOut':
        return this.tell({ type: how, ...about, logInPath: '/login' });
      default:
        return this.tell({ type: how, ...about, afterMs });
    }
  }

  wait(): void {
    const at = nextWake(this.queue, this.now);
    if (at === null) throw new Error('The queue waits for no time');
    this.now = at;
    this.tell({ type: 'time' });
  }

  get stages(): string[] {
    return this.queue.items.map(({ stage }) => stage.name);
  }

  private carryOut(command: Command): void {
    switch (command.type) {
      case 'send': {
        this.inProgress.set(command.attempt, command.id);
        const { key = '' } = this.queue.items.find(({ id }) => id === command.id) ?? {};
        return void this.sentAt.push({ id: command.id, key, at: this.now });
      }
      case 'abort':
        return void this.inProgress.delete(command.attempt);
      case 'discard':
        return void this.discarded.push(command.slug);
    }
  }
}
