import { enhanceForms } from './forms';

type Vote = 'up' | 'down' | null;

/** Votes without a page load: the vote is shown at once and reverted if the request fails. */
export function enableVoting(): void {
  const before = new WeakMap<HTMLFormElement, { readonly vote: Vote; readonly score: number }>();
  enhanceForms('vote', {
    before(form, submitter) {
      const [vote, score] = [voteOf(form), scoreOf(form)];
      before.set(form, { vote, score });
      const pressed = submitter?.getAttribute('value');
      const wanted = pressed === 'up' || pressed === 'down' ? pressed : null;
      const next = wanted === vote ? null : wanted;
      show(form, next, score - worth(vote) + worth(next));
    },
    done({ vote, score }, form) {
      show(form, vote === 'up' || vote === 'down' ? vote : null, Number(score));
    },
    failed(_, form) {
      const last = before.get(form);
      if (last) show(form, last.vote, last.score);
    },
  });
}

const worth = (vote: Vote): number => (vote === null ? 0 : vote === 'up' ? 1 : -1);

const buttonsOf = (form: HTMLFormElement): NodeListOf<HTMLButtonElement> =>
  form.querySelectorAll('button[name="direction"]');

function voteOf(form: HTMLFormElement): Vote {
  const pressed = [...buttonsOf(form)].find((button) => button.ariaPressed === 'true')?.value;
  return pressed === 'up' || pressed === 'down' ? pressed : null;
}

const scoreOf = (form: HTMLFormElement): number =>
  Number(form.querySelector('[data-score]')?.textContent ?? 0);

function show(form: HTMLFormElement, vote: Vote, score: number): void {
  for (const button of buttonsOf(form)) button.ariaPressed = String(button.value === vote);
  const place = form.querySelector('[data-score]');
  if (place) place.textContent = String(score);
}
