import { showNotice } from '../dom/notices';
import type { Queue } from './queue';
import { announcementOf, files, type Summary, summaryOf } from './summary';

/**
 * Changes within this time, in milliseconds, are announced together, so that hundreds of files don't cause constant
 * announcements.
 */
const TOGETHER_MS = 1_500;

/** Announces to screen readers what happens to the files. */
export class Announcer {
  private told: Summary | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private queue: Queue | undefined;

  constructor(private readonly place: HTMLElement) {}

  update(queue: Queue): void {
    this.told ??= summaryOf({ ...queue, items: [] }, Date.now());
    this.queue = queue;
    this.timer ??= setTimeout(() => this.tell(), TOGETHER_MS);
  }

  /** Announces a sentence at once, as the response to an action. */
  say(sentence: string): void {
    this.place.textContent = sentence;
  }

  sayDuplicates(count: number): void {
    showNotice(
      count === 1 ? 'That file is already in the list.' : `${files(count)} are already in the list.`,
    );
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
