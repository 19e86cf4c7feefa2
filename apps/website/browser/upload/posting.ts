import { enhanceForms, showErrors, FormError } from '../dom/forms';
import { showNotice } from '../dom/notices';
import { byId } from './page-parts';
import { files, hasWork, postable, summaryOf, MAX_POST_MEDIA } from './summary';
import type { Uploads } from './uploads';

interface PostingOptions {
  readonly uploads: Uploads;
  readonly form: HTMLFormElement;
  /** Number of files that can still be added to the post. */
  readonly room: number;
  /** Called before the browser goes to the post. */
  readonly leave: () => Promise<void>;
}

/**
 * Creates the post from the uploaded files, in the order of the page. If the form is sent before all files are
 * uploaded, it waits for them. Files that don't fit into one post stay on the page.
 */
export function handlePosting({ uploads, form, room, leave }: PostingOptions): void {
  const waits = byId('upload-waits', HTMLElement);
  const without = byId('post-without', HTMLButtonElement);
  const tooMany = byId('upload-too-many', HTMLElement);
  const button = byId('post-button', HTMLButtonElement);
  const readyLine = byId('upload-ready', HTMLElement);
  const problem = byId('upload-problem-files-notice', HTMLElement);
  const withoutProblems = byId('post-problem-files-notice', HTMLButtonElement);
  const label = button.textContent;
  /** The visitor has sent the form, and it waits until all files are uploaded. */
  let isArmed = false;
  let sentIds: readonly number[] = [];
  let isLeaving = false;

  const arm = (armed: boolean): void => {
    isArmed = armed;
    waits.textContent = armed ? 'Will be posted once all files are uploaded.' : '';
    show();
  };
  const show = (): void => {
    const { unfinished, ready, failed, unfit } = summaryOf(uploads.now, Date.now());
    readyLine.textContent =
      unfinished === 0 ? `${files(ready)} ready` : `${ready} of ${files(ready + unfinished)} ready`;
    // Then the button to post without the files that have a problem is the main one.
    const isFaulty = failed + unfit > 0 && unfinished === 0 && ready > 0;
    const hadFocus = document.activeElement === button;
    withoutProblems.hidden = !isFaulty;
    withoutProblems.textContent = `Post without ${files(failed + unfit)}`;
    problem.hidden = failed + unfit === 0;
    const problems =
      failed + unfit === 1 ? '1 file has a problem' : `${files(failed + unfit)} have a problem`;
    // Progress events are frequent; a screen reader is told only of changes.
    if (problem.textContent !== problems) problem.textContent = problems;
    button.hidden = isFaulty;
    if (isFaulty && hadFocus) withoutProblems.focus();
    without.hidden = !isArmed || ready === 0;
    tooMany.hidden = ready + unfinished <= room;
    tooMany.textContent = tooManyInWords(room, ready + unfinished);
  };

  uploads.onChange(() => {
    const { unfinished, failed, unfit } = summaryOf(uploads.now, Date.now());
    if (isArmed && unfinished === 0) {
      arm(false);
      if (failed + unfit === 0) form.requestSubmit(button);
      else withoutProblems.focus();
    } else show();
  });
  const showError = (): void => form.querySelector('[data-error]')?.scrollIntoView({ block: 'center' });
  const postWithout = (): void => {
    arm(false);
    form.dataset['without'] = '';
    form.requestSubmit(button);
  };
  without.addEventListener('click', postWithout);
  withoutProblems.addEventListener('click', postWithout);

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
        showError();
        return false;
      }
      if (failed + unfit > 0 && !isWithout) {
        withoutProblems.focus();
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
      uploads.dispatch({ type: 'posted', ids: sentIds });
      if (summaryOf(uploads.now, Date.now()).ready + summaryOf(uploads.now, Date.now()).unfinished > 0) {
        button.textContent = label;
        return showPosted(form, answer.location);
      }
      isLeaving = true;
      // Replaces the history entry, so that going back doesn't offer the posted files again.
      void leave().then(() => location.replace(answer.location));
    },
    failed: () => {
      button.textContent = label;
      showError();
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
  if (room <= 0) return `Your post is full: a post can have ${MAX_POST_MEDIA} files.`;
  if (room < MAX_POST_MEDIA) {
    return `Your post has room for ${files(room)} more: the first ${room} of these ${count} will be added.`;
  }
  return `A post can have ${MAX_POST_MEDIA} files. The first ${MAX_POST_MEDIA} of these ${count} go into this post; the others stay here for another post.`;
}

/** Shows a link to the created post; the files that didn't fit stay on the page. */
function showPosted(form: HTMLFormElement, location: string): void {
  const line = document.createElement('p');
  line.className = 'callout good';
  const link = document.createElement('a');
  link.href = location;
  link.target = '_blank';
  link.rel = 'noopener';
  link.textContent = 'Your post (new tab)';
  line.append('Posted. You can use the remaining files for another post. ', link);
  form.before(line);
  showNotice('Posted.');
}
