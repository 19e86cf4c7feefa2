import { store, readStored } from '../dom/browser-storage';
import { count } from './counting';
import { commentFormOf, parentOf, textOf } from './forms';

/** Stores unsent comments in this tab, for each user, post and parent comment. */
export function enableDrafts(): void {
  document.addEventListener('input', ({ target }) => {
    const form = commentFormOf(target);
    if (form) storeDraft(form);
  });
  for (const form of document.querySelectorAll<HTMLFormElement>('form.comment-form')) restoreDraft(form);
  for (const { dataset } of document.querySelectorAll<HTMLElement>('.comment')) {
    mark(
      dataset['comment'] ?? null,
      readStored('sessionStorage', keyOf(dataset['comment'] ?? null)) !== null,
    );
  }
}

function storeDraft(form: HTMLFormElement): void {
  const text = textOf(form)?.value ?? '';
  store('sessionStorage', keyOf(parentOf(form)), text.trim() === '' ? null : text);
  mark(parentOf(form), text.trim() !== '');
}

/** Marks a comment to which a reply was begun. */
function mark(id: string | null, hasDraft: boolean): void {
  const link = document.querySelector(`#c${id ?? ''} > .comment-body [data-reply]`);
  link?.classList.toggle('has-draft', hasDraft);
}

/** Puts a stored draft into an empty form. */
export function restoreDraft(form: HTMLFormElement): void {
  const text = textOf(form);
  const draft = readStored('sessionStorage', keyOf(parentOf(form)));
  if (!text || text.value !== '' || draft === null) return;
  text.value = draft;
  count(form);
}

/** Removes the draft of a posted comment. */
export function dropDraft(form: HTMLFormElement): void {
  store('sessionStorage', keyOf(parentOf(form)), null);
  mark(parentOf(form), false);
}

function keyOf(parent: string | null): string {
  const { viewer, post } = document.querySelector<HTMLElement>('.comments')?.dataset ?? {};
  return ['draft', viewer, post, parent ?? ''].join(':');
}
