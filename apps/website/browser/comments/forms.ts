/** The comment form around an element, if it is in one. */
export const commentFormOf = (element: EventTarget | null): HTMLFormElement | null =>
  element instanceof Element ? element.closest<HTMLFormElement>('form.comment-form') : null;

/** Where the text of a comment is typed. */
export const textOf = (form: HTMLFormElement): HTMLTextAreaElement | null =>
  form.querySelector<HTMLTextAreaElement>('textarea[name="content"]');

/** Id of the comment that a form replies to; null where it replies to none. */
export function parentOf(form: HTMLFormElement): string | null {
  return form.querySelector<HTMLInputElement>('input[name="parent_id"]')?.value ?? null;
}
