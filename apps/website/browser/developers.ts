import { keep, recall } from './dom/memory';

const SETTING = 'vitrine.developers.language';

// The choice of a language is remembered from page to page.
const choices = [...document.querySelectorAll<HTMLInputElement>('input[name="language"]')];
const remembered = recall('localStorage', SETTING);
const chosen = choices.find(({ value }) => value === remembered);
if (chosen) chosen.checked = true;
for (const choice of choices)
  choice.addEventListener('change', () => keep('localStorage', SETTING, choice.value));
