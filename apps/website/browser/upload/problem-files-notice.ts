import type { Item, Queue } from './queue';
import { files, problems } from './summary';
import type { Uploads } from './uploads';
import { stateLabel } from './labels';

/** The number of files that are named one by one; the list above shows the others. */
const NAMED = 5;

/** Shows beside the button which files have a problem, and offers to post without them. */
export class ProblemFilesNotice {
  constructor(
    private readonly uploads: Uploads,
    private readonly note: HTMLElement,
    private readonly button: HTMLButtonElement,
  ) {}

  /** Called when the visitor wants the post without these files. */
  onAccept(accept: () => void): void {
    this.button.addEventListener('click', accept);
  }

  show(): void {
    const { now: queue } = this.uploads;
    const left = problems(queue);
    this.note.hidden = left.length === 0;
    this.button.hidden = left.length === 0 || left.length === queue.items.length;
    write(
      this.button,
      left.length === 1 ? `Post without ${nameOf(left[0]!)}` : `Post without ${files(left.length)}`,
    );
    const lines = linesOf(left, queue);
    // Progress events of other files are frequent: a screen reader is told again only if something changed.
    if (this.note.dataset['said'] === lines.join('\n')) return;
    this.note.dataset['said'] = lines.join('\n');
    this.note.replaceChildren(
      ...lines.map((line) => {
        const paragraph = document.createElement('p');
        paragraph.dir = 'auto';
        paragraph.textContent = line;
        return paragraph;
      }),
    );
  }

  /** The visitor asked for the post, so the choice is theirs. */
  ask(): void {
    this.show();
    this.note.scrollIntoView({ block: 'nearest' });
    if (!this.button.hidden) this.button.focus();
  }
}

function linesOf(left: readonly Item[], { items }: Queue): readonly string[] {
  if (left.length === 0) return [];
  const named = left.slice(0, NAMED).map((item) => `${nameOf(item)}: ${stateLabel(item)}`);
  const more = left.length > NAMED ? [`And ${files(left.length - NAMED)} more, marked in the list.`] : [];
  const all = left.length === items.length;
  const verb = left.length === 1 ? 'has' : 'have';
  const advice = `${files(left.length)} ${verb} a problem${all ? '. Choose other files.' : ':'}`;
  return [advice, ...named, ...more];
}

const nameOf = ({ file }: Item): string =>
  file.name.length > 40 ? `${file.name.slice(0, 25)}…${file.name.slice(-12)}` : file.name;

function write(place: HTMLElement, text: string): void {
  if (place.textContent !== text) place.textContent = text;
}
