const SETTING = 'vitrine.developers.language';

// The choice of a language is remembered from page to page.
const choices = [...document.querySelectorAll<HTMLInputElement>('input[name="language"]')];
const chosen = choices.find(({ value }) => value === localStorage.getItem(SETTING));
if (chosen) chosen.checked = true;
for (const choice of choices)
  choice.addEventListener('change', () => localStorage.setItem(SETTING, choice.value));
