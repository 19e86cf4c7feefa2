import { byId } from './page-parts';
import type { Queue } from './queue';
import { files, type Summary, summaryOf } from './summary';
import type { Uploads } from './uploads';
import { clockTime } from './words';

/** What stands above the list: how far all files are, what holds them up, and the buttons for all of them. */
export class Bench {
  private readonly whole = byId('upload-bench', HTMLElement);
  private readonly count = byId('upload-count', HTMLElement);
  private readonly progress = byId('upload-progress', HTMLProgressElement);
  private readonly pause = byId('upload-pause', HTMLButtonElement);
  private readonly retryAll = byId('upload-retry-all', HTMLButtonElement);
  private readonly hold = byId('upload-hold', HTMLElement);
  private readonly holdText = byId('upload-hold-text', HTMLElement);
  private readonly logIn = byId('upload-log-in', HTMLAnchorElement);
  private readonly goOn = byId('upload-go-on', HTMLButtonElement);

  constructor(uploads: Uploads) {
    this.pause.addEventListener('click', () =>
      uploads.tell({ type: uploads.now.paused ? 'resumed' : 'paused' }),
    );
    this.goOn.addEventListener('click', () => uploads.tell({ type: 'resumed' }));
    this.retryAll.addEventListener('click', () => uploads.retryAll());
  }

  show(queue: Queue): void {
    const now = Date.now();
    const summary = summaryOf(queue, now);
    this.whole.hidden = summary.files === 0;
    write(this.count, countInWords(summary));
    this.progress.value = summary.progress;
    this.progress.dataset['done'] = String(summary.unfinished === 0);
    write(this.pause, queue.paused ? 'Resume' : 'Pause');
    this.pause.dataset['idle'] = String(summary.unfinished === 0);
    this.retryAll.hidden = canRetry(queue) < 2;
    this.showHold(queue, summary, now);
  }

  private showHold(queue: Queue, { hold, unfinished }: Summary, now: number): void {
    // What the visitor did needs no explanation.
    this.hold.hidden = hold === null || hold === 'paused' || unfinished === 0;
    if (this.hold.hidden || hold === null || hold === 'paused') return;
    const texts = {
      offline: 'There is no connection. The uploads go on by themselves as soon as it is back.',
      loggedOut:
        'Your session has ended, or somebody else is logged in. Log in again in a new tab, then go on here.',
      limited: `That is as much as we take at a time. It goes on by itself ${clockTime(queue.limitedUntil, now)}; keep this page open.`,
    };
    write(this.holdText, texts[hold]);
    this.logIn.hidden = hold !== 'loggedOut';
    if (queue.logInPath !== null) this.logIn.href = queue.logInPath;
    this.goOn.hidden = hold === 'offline';
  }
}

/** Progress comes often; text that stays the same is left alone. */
function write(place: HTMLElement, text: string): void {
  if (place.textContent !== text) place.textContent = text;
}

const canRetry = ({ items }: Queue): number =>
  items.filter(({ stage }) => stage.name === 'failed' && stage.failure.reason !== 'hopeless').length;

function countInWords({ files: all, unfinished, failed, unfit, progress }: Summary): string {
  const bad = failed + unfit;
  const trouble = bad === 0 ? '' : `, ${bad} with a problem`;
  if (unfinished === 0) return `${files(all)}${trouble}`;
  return `${all - unfinished - bad} of ${files(all)} uploaded${trouble} · ${Math.floor(progress * 100)}%`;
}
