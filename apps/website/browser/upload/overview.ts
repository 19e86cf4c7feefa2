import { byId } from './page-parts';
import type { Queue } from './queue';
import { files, type Summary, summaryOf } from './summary';
import type { Uploads } from './uploads';
import { clockTime } from './labels';

/** The area above the list: the progress of all files, what they wait for, and the buttons for all of them. */
export class Overview {
  private readonly whole = byId('upload-workspace', HTMLElement);
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
      uploads.dispatch({ type: uploads.now.paused ? 'resumed' : 'paused' }),
    );
    this.goOn.addEventListener('click', () => uploads.dispatch({ type: 'resumed' }));
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
    // The visitor knows that they have paused the uploads.
    this.hold.hidden = hold === null || hold === 'paused' || unfinished === 0;
    if (this.hold.hidden || hold === null || hold === 'paused') return;
    const texts = {
      offline: 'You are offline. The uploads continue when the connection is back.',
      loggedOut:
        'Your session has ended, or someone else is logged in. Log in again in a new tab, then continue here.',
      limited: `You have reached the upload limit. The uploads continue ${clockTime(queue.limitedUntil, now)}; keep this page open.`,
    };
    write(this.holdText, texts[hold]);
    this.logIn.hidden = hold !== 'loggedOut';
    if (queue.logInPath !== null) this.logIn.href = queue.logInPath;
    this.goOn.hidden = hold === 'offline';
  }
}

/** Progress events are frequent; unchanged text is not written again. */
function write(place: HTMLElement, text: string): void {
  if (place.textContent !== text) place.textContent = text;
}

const canRetry = ({ items }: Queue): number =>
  items.filter(({ stage }) => stage.name === 'failed' && stage.failure.reason !== 'permanent').length;

function countInWords({ files: all, unfinished, failed, unfit, progress }: Summary): string {
  const bad = failed + unfit;
  const problem = bad === 0 ? '' : `, ${bad} with a problem`;
  if (unfinished === 0) return `${files(all)}${problem}`;
  return `${all - unfinished - bad} of ${files(all)} uploaded${problem} · ${Math.floor(progress * 100)}%`;
}
