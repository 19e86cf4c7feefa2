import { notify } from '../dom/notices';
import type { Queue } from './queue';
import { announcementOf, files, type Summary, summaryOf } from './summary';

/** Changes within this time, in milliseconds, are told together: hundreds of files must not talk all the time. */
const TOGETHER_MS = 1_500;

/** Tells screen readers what happens to the files, in few words. */
export class Announcer {
  private told: Summary | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private queue: Queue | undefined;

  constructor(private readonly place: HTMLElement) {}

  follow(queue: Queue): void {
    this.told ??= summaryOf({ ...queue, items: [] }, Date.now());
    this.queue = queue;
    this.timer ??= setTimeout(() => this.tell(), TOGETHER_MS);
  }

  /** At once: the answer to what somebody did. */
  say(sentence: string): void {
    this.place.textContent = sentence;
  }

  sayDoubles(count: number): void {
    notify(count === 1 ? 'That file is in the list already.' : `${files(count)} are in the list already.`);
  }

  private tell(): void {
    this.timer = undefined;
    if (!this.queue || !this.told) return;
    const now = summaryOf(this.queue, Date.now());
    const sentence = announcementOf(this.told, now);
    this.told = now;
    if (sentence !== null) this.say(sentence);
  }
}
