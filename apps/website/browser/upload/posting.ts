import { enhanceForms, showErrors, FormError } from '../dom/forms';
import { notify } from '../dom/notices';
import { LeftOut } from './left-out';
import { byId } from './page-parts';
import { files, hasWork, postable, summaryOf, MAX_POST_MEDIA } from './summary';
import type { Uploads } from './uploads';

interface PostingOptions {
  readonly uploads: Uploads;
  readonly form: HTMLFormElement;
  /** Files that the post still takes. */
  readonly room: number;
  /** Before the page is left for the post. */
  readonly leave: () => void;
}

/**
 * Makes the post: of what is uploaded, in the order of the page. Sent too early it waits for the files, and is sent
 * then; what doesn't fit into one post stays for the next.
 */
export function handlePosting({ uploads, form, room, leave }: PostingOptions): void {
  const waits = byId('upload-waits', HTMLElement);
  const without = byId('post-without', HTMLButtonElement);
  const tooMany = byId('upload-too-many', HTMLElement);
  const button = byId('post-button', HTMLButtonElement);
  const leftOut = new LeftOut(
    uploads,
    byId('upload-left-out', HTMLElement),
    byId('post-left-out', HTMLButtonElement),
  );
  const label = button.textContent;
  /** The visitor wants the post as soon as all files are up. */
  let isArmed = false;
  let sentIds: readonly number[] = [];
  let isLeaving = false;

  const arm = (armed: boolean): void => {
    isArmed = armed;
    waits.hidden = without.hidden = !armed;
    show();
  };
  const show = (): void => {
    const { unfinished, ready } = summaryOf(uploads.now, Date.now());
    if (isArmed) {
      waits.textContent = `Your post is made as soon as ${unfinished === 1 ? 'the last file is' : `the other ${files(unfinished)} are`} uploaded.`;
    }
    without.hidden = !isArmed || ready === 0;
    tooMany.hidden = ready + unfinished <= room;
    tooMany.textContent = tooManyInWords(room, ready + unfinished);
  };

  uploads.onChange(() => {
    const { unfinished, failed, unfit } = summaryOf(uploads.now, Date.now());
    leftOut.show();
    if (isArmed && unfinished === 0) {
      arm(false);
      if (failed + unfit === 0) form.requestSubmit(button);
      else leftOut.ask();
    } else show();
  });
  const postWithout = (): void => {
    arm(false);
    form.dataset['without'] = '';
    form.requestSubmit(button);
  };
  without.addEventListener('click', postWithout);
  leftOut.onAccept(postWithout);

  enhanceForms('post-files', {
    before: () => {
      const { unfinished, failed, unfit } = summaryOf(uploads.now, Date.now());
      const isWithout = form.dataset['without'] !== undefined;
      delete form.dataset['without'];
      const items = postable(uploads.now).slice(0, Math.max(0, room));
      if (unfinished > 0 && !isWithout) {
        arm(true);
        return false;
      }
      if (items.length === 0) {
        const sentence =
          uploads.now.items.length > 0 ? 'None of these files can be posted.' : 'Choose a file first.';
        showErrors(form, new FormError(sentence, 0));
        return false;
      }
      if (failed + unfit > 0 && !isWithout) {
        leftOut.ask();
        return false;
      }
      sentIds = items.map(({ id }) => id);
      for (const field of form.querySelectorAll('input[name="media"]')) field.remove();
      form.append(
        ...items.flatMap(({ stage }) => (stage.name === 'uploaded' ? [mediaField(stage.media.id)] : [])),
      );
      button.textContent = 'Posting …';
      return true;
    },
    done: (answer) => {
      uploads.tell({ type: 'posted', ids: sentIds });
      if (summaryOf(uploads.now, Date.now()).ready + summaryOf(uploads.now, Date.now()).unfinished > 0) {
        button.textContent = label;
        return stayForTheRest(form, answer.location);
      }
      isLeaving = true;
      leave();
      // Back leads to before the upload: what is posted isn't offered for posting again.
      location.replace(answer.location);
    },
    failed: () => {
      button.textContent = label;
    },
  });

  addEventListener('beforeunload', (event) => {
    if (!isLeaving && hasWork(uploads.now)) event.preventDefault();
  });
}

function mediaField(id: number): HTMLInputElement {
  const field = document.createElement('input');
  field.type = 'hidden';
  field.name = 'media';
  field.value = String(id);
  return field;
}

function tooManyInWords(room: number, count: number): string {
  if (room <= 0) return `Your post is full: it holds ${MAX_POST_MEDIA} files.`;
  if (room < MAX_POST_MEDIA) {
    return `Your post has room for ${files(room)} more: the first ${room} of these ${count} are added.`;
  }
  return `A post holds ${MAX_POST_MEDIA} files. The first ${MAX_POST_MEDIA} of these ${count} make this post; the others stay here for the next.`;
}

/** Links to the post that was made, and leaves the page to the files that didn't fit. */
function stayForTheRest(form: HTMLFormElement, location: string): void {
  const line = document.createElement('p');
  line.className = 'callout good';
  const link = document.createElement('a');
  link.href = location;
  link.target = '_blank';
  link.rel = 'noopener';
  link.textContent = 'Your post (new tab)';
  line.append('Posted. The files that are left can make another post. ', link);
  form.before(line);
  notify('Posted.');
}
