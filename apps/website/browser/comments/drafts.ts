import { keep, recall } from '../dom/memory';
import { count } from './counting';
import { commentFormOf, parentOf, textOf } from './forms';

/** Keeps what is typed and not yet posted, for this tab, person, post and comment. */
export function enableDrafts(): void {
  document.addEventListener('input', ({ target }) => {
    const form = commentFormOf(target);
    if (form) keepDraft(form);
  });
  for (const form of document.querySelectorAll<HTMLFormElement>('form.comment-form')) restoreDraft(form);
  for (const { dataset } of document.querySelectorAll<HTMLElement>('.comment')) {
    mark(dataset['comment'] ?? null, recall('sessionStorage', keyOf(dataset['comment'] ?? null)) !== null);
  }
}

function keepDraft(form: HTMLFormElement): void {
  const text = textOf(form)?.value ?? '';
  keep('sessionStorage', keyOf(parentOf(form)), text.trim() === '' ? null : text);
  mark(parentOf(form), text.trim() !== '');
}

/** Says at a comment that a reply to it was begun. */
function mark(id: string | null, hasDraft: boolean): void {
  const link = document.querySelector(`#c${id ?? ''} > .comment-body [data-reply]`);
  link?.classList.toggle('has-draft', hasDraft);
}

/** Puts a kept draft into an empty form. */
export function restoreDraft(form: HTMLFormElement): void {
  const text = textOf(form);
  const draft = recall('sessionStorage', keyOf(parentOf(form)));
  if (!text || text.value !== '' || draft === null) return;
  text.value = draft;
  count(form);
}

/** What was posted is no draft any more. */
export function dropDraft(form: HTMLFormElement): void {
  keep('sessionStorage', keyOf(parentOf(form)), null);
  mark(parentOf(form), false);
}

function keyOf(parent: string | null): string {
  const { viewer, post } = document.querySelector<HTMLElement>('.comments')?.dataset ?? {};
  return ['draft', viewer, post, parent ?? ''].join(':');
}
