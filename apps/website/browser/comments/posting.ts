import { enhanceForms, type FormAnswer } from '../dom/forms';
import { elementOf } from '../dom/markup';
import { count } from './counting';
import { dropDraft } from './drafts';
import { parentOf, textOf } from './forms';

/** Posts and deletes comments without leaving the page. */
export function enablePosting(): void {
  // What is typed until the answer would be lost with the sent text.
  enhanceForms('comment', {
    before: (form) => setReadOnly(form, true),
    done(answer, form) {
      setReadOnly(form, false);
      return showPosted(answer, form);
    },
    failed: (_, form) => setReadOnly(form, false),
  });
  enhanceForms('delete-comment', {
    done(answer, form) {
      const comment = form.closest<HTMLElement>('.comment');
      if (comment) showDeleted(comment, answer);
    },
  });
}

function setReadOnly(form: HTMLFormElement, value: boolean): void {
  const text = textOf(form);
  if (text) text.readOnly = value;
}

function showPosted(answer: FormAnswer, form: HTMLFormElement): string | void {
  dropDraft(form);
  const place = placeFor(form);
  if (!place || answer.html === undefined) return answer.location;
  const comment = elementOf(answer.html);
  place(comment);
  changeCount(1);
  if (form.dataset['opened'] !== undefined) form.remove();
  else {
    form.reset();
    count(form);
  }
  comment.classList.add('is-new');
  comment.focus({ preventScroll: true });
  comment.scrollIntoView({ block: 'nearest' });
}

/** Returns the function that inserts a new comment into its list; null if it belongs on another page. */
function placeFor(form: HTMLFormElement): ((comment: HTMLElement) => void) | null {
  const parent = document.getElementById(`c${parentOf(form) ?? ''}`);
  if (parent) {
    const list = document.querySelector<HTMLElement>('[data-replies-list] > ol') ?? repliesOf(parent);
    const more = list.querySelector(':scope > .comment-more');
    changeReplies(parent, 1);
    return (comment) => list.insertBefore(comment, more);
  }
  const { sort, complete } = document.querySelector<HTMLElement>('.comments')?.dataset ?? {};
  const list = document.querySelector('.comments > .comment-list');
  if (!list) return null;
  if (sort === 'latest') return (comment) => list.prepend(comment);
  return complete === 'true' ? (comment) => list.append(comment) : null;
}

function repliesOf(comment: HTMLElement): HTMLElement {
  const list = comment.querySelector<HTMLElement>(':scope > .comment-replies');
  if (list) return list;
  const made = document.createElement('ol');
  made.className = 'comment-replies plain-list';
  comment.append(made);
  return made;
}

/**
 * Replaces a comment with replies by a tombstone; else removes it, and tombstones above it that have no replies left.
 */
function showDeleted(comment: HTMLElement, { html }: FormAnswer): void {
  changeCount(-1);
  if (repliesCount(comment) > 0 && html !== undefined) {
    comment.querySelector('.comment-body')?.replaceWith(elementOf(html));
    return comment.focus({ preventScroll: true });
  }
  const neighbour = comment.nextElementSibling ?? comment.previousElementSibling;
  const parent = comment.parentElement?.closest<HTMLElement>('.comment');
  comment.remove();
  if (parent) changeReplies(parent, -1);
  if (parent && repliesCount(parent) === 0 && isTombstone(parent)) return removeEmpty(parent);
  focusOn(neighbour ?? parent);
}

function removeEmpty(tombstone: HTMLElement): void {
  const parent = tombstone.parentElement?.closest<HTMLElement>('.comment');
  tombstone.remove();
  if (!parent) return focusOn(null);
  changeReplies(parent, -1);
  if (repliesCount(parent) === 0 && isTombstone(parent)) return removeEmpty(parent);
  focusOn(parent);
}

const isTombstone = (comment: HTMLElement): boolean =>
  comment.querySelector(':scope > .comment-deleted') !== null;

const repliesCount = (comment: HTMLElement): number => Number(comment.dataset['replies']);

function changeReplies(comment: HTMLElement, by: number): void {
  comment.dataset['replies'] = String(repliesCount(comment) + by);
}

function changeCount(by: number): void {
  const place = document.querySelector('[data-comment-count]');
  if (!place) return;
  const total = Math.max(0, Number(place.textContent) + by);
  place.textContent = String(total);
  const word = document.querySelector('[data-comment-word]');
  if (word) word.textContent = total === 1 ? 'comment' : 'comments';
  document.querySelector('[data-empty]')?.remove();
}

/** Keeps the keyboard focus near the removed comment. */
function focusOn(near: Element | null | undefined): void {
  const place = near instanceof HTMLElement ? near : document.getElementById('main');
  place?.focus({ preventScroll: true });
}
