/** The comment form around an element, if it is in one. */
export const commentFormOf = (element: EventTarget | null): HTMLFormElement | null =>
  element instanceof Element ? element.closest<HTMLFormElement>('form.comment-form') : null;

/** The text field of a comment form. */
export const textOf = (form: HTMLFormElement): HTMLTextAreaElement | null =>
  form.querySelector<HTMLTextAreaElement>('textarea[name="content"]');

/** Id of the comment to which a form replies; null if it isn't a reply. */
export function parentOf(form: HTMLFormElement): string | null {
  return form.querySelector<HTMLInputElement>('input[name="parent_id"]')?.value ?? null;
}
