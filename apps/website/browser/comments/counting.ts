import { commentFormOf, textOf } from './forms';

/** Remaining characters from which on the count is shown, and from which on screen readers announce it. */
const COUNT_SHOWN_FROM = 100;
const ANNOUNCED_FROM = 20;

/** Shows how many characters (code points) are left in a comment. */
export function enableCounting(): void {
  for (const event of ['input', 'focusin']) {
    document.addEventListener(event, ({ target }) => {
      const form = commentFormOf(target);
      if (form) count(form);
    });
  }
}

/** Updates the count after a script has changed the text. */
export function count(form: HTMLFormElement): void {
  const hint = form.querySelector<HTMLElement>('[data-count]');
  const text = textOf(form);
  if (!hint || !text) return;
  const most = Number(hint.dataset['count']);
  const left = most - [...text.value.normalize().trim()].length;
  hint.ariaLive = left <= ANNOUNCED_FROM ? 'polite' : 'off';
  hint.classList.toggle('is-over', left < 0);
  if (left < 0) hint.textContent = `${-left} characters too many.`;
  else
    hint.textContent = left <= COUNT_SHOWN_FROM ? `${left} characters left.` : `At most ${most} characters.`;
}
