import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** As the API judges it (libs/domain/src/sign-in/passwords), but without its English words, which are large. */
const JUDGED_LENGTH = 24;
const REPLACEMENTS = 16;
const PAUSE_MS = 200;

const WORDS = [
  'Very easy to guess.',
  'Very easy to guess.',
  'Easy to guess. Add another word.',
  'Good.',
  'Very good.',
] as const;

const zxcvbn = new ZxcvbnFactory({
  graphs: adjacencyGraphs,
  dictionary,
  maxLength: JUDGED_LENGTH,
  l33tMaxSubstitutions: REPLACEMENTS,
});
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Says how easy the password in a field is to guess, after a short pause in typing. */
export function showStrength(field: HTMLInputElement, note: HTMLElement): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    const known = new FormData(field.form ?? undefined).get('username');
    const { score } = zxcvbn.check(field.value.slice(0, JUDGED_LENGTH), known ? [String(known)] : []);
    note.textContent = `Strength: ${WORDS[score]}`;
    note.hidden = field.value === '';
  }, PAUSE_MS);
}
