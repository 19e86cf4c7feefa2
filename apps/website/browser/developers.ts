import { store, readStored } from './dom/browser-storage';

const SETTING = 'vitrine.developers.language';

// Stores the chosen language.
const choices = [...document.querySelectorAll<HTMLInputElement>('input[name="language"]')];
const remembered = readStored('localStorage', SETTING);
const chosen = choices.find(({ value }) => value === remembered);
if (chosen) chosen.checked = true;
for (const choice of choices)
  choice.addEventListener('change', () => store('localStorage', SETTING, choice.value));
