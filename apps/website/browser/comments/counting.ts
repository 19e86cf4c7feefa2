import { commentFormOf, textOf } from './forms';

/** How many characters before the limit they are counted, and how many before it they are told to screen readers. */
const COUNTED = 100;
const TOLD = 20;

/** Says how much room is left in a comment, as people count characters. */
export function enableCounting(): void {
  for (const event of ['input', 'focusin']) {
    document.addEventListener(event, ({ target }) => {
      const form = commentFormOf(target);
      if (form) count(form);
    });
  }
}

/** Counts anew, after the text has changed by itself. */
export function count(form: HTMLFormElement): void {
  const hint = form.querySelector<HTMLElement>('[data-count]');
  const text = textOf(form);
  if (!hint || !text) return;
  const most = Number(hint.dataset['count']);
  const left = most - [...text.value.normalize().trim()].length;
  hint.ariaLive = left <= TOLD ? 'polite' : 'off';
  hint.classList.toggle('is-over', left < 0);
  if (left < 0) hint.textContent = `${-left} too many.`;
  else hint.textContent = left <= COUNTED ? `${left} left.` : `At most ${most} characters.`;
}
