/** What the site answers to `GET /search/suggestions`. */
interface Suggestion {
  readonly text: string;
  readonly href: string;
}

/** Milliseconds without a key before suggestions are requested. */
const PAUSE = 150;
/** Suggestions that are kept, so that deleting letters requests nothing. */
const KEPT = 50;

/**
 * Suggests people, tags and titles below the header's search field, as a combobox with a list
 * (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/): the arrows choose, Enter opens, Escape closes.
 */
export function enableSuggestions(): void {
  const field = document.querySelector<HTMLInputElement>('#site-search');
  if (!field?.form) return;
  const list = document.createElement('div');
  list.id = 'site-suggestions';
  list.className = 'suggestions';
  list.role = 'listbox';
  list.ariaLabel = 'Suggestions';
  list.hidden = true;
  field.form.append(list);
  field.setAttribute('role', 'combobox');
  field.setAttribute('aria-controls', list.id);
  field.ariaAutoComplete = 'list';
  field.ariaExpanded = 'false';
  field.autocomplete = 'off';

  const answers = new Map<string, readonly Suggestion[]>();
  let timer = 0;
  let chosen = -1;

  const choose = (index: number): void => {
    chosen = index;
    for (const [at, option] of [...list.children].entries()) option.ariaSelected = String(at === index);
    const option = list.children[index];
    if (option) field.setAttribute('aria-activedescendant', option.id);
    else field.removeAttribute('aria-activedescendant');
  };
  const show = (suggestions: readonly Suggestion[]): void => {
    list.replaceChildren(...suggestions.map(toOption));
    list.hidden = suggestions.length === 0;
    field.ariaExpanded = String(!list.hidden);
    choose(-1);
  };
  const update = async (): Promise<void> => {
    const text = field.value.trim();
    let found = text === '' ? [] : answers.get(text);
    if (!found) {
      found = await request(text);
      if (answers.size >= KEPT) answers.clear();
      answers.set(text, found);
    }
    // Something else may have been typed, or the field left, in the meantime.
    if (field.value.trim() === text && document.activeElement === field) show(found);
  };

  const updateSoon = (): void => {
    clearTimeout(timer);
    // Suggestions are only a help: there are none if the site can't answer, until the next letter.
    timer = window.setTimeout(() => void update().catch(() => show([])), PAUSE);
  };
  field.addEventListener('input', updateSoon);
  // Somebody may have typed while this was loaded.
  if (field.value !== field.defaultValue) updateSoon();
  field.addEventListener('blur', () => show([]));
  field.addEventListener('keydown', (event) => {
    const count = list.children.length;
    if (list.hidden || event.isComposing) return;
    // -1 is the field itself.
    if (event.key === 'ArrowDown') choose(chosen + 1 === count ? -1 : chosen + 1);
    else if (event.key === 'ArrowUp') choose(chosen === -1 ? count - 1 : chosen - 1);
    else if (event.key === 'Escape') show([]);
    else if (event.key === 'Enter' && chosen >= 0) (list.children[chosen] as HTMLElement).click();
    else return;
    event.preventDefault();
  });
  // Otherwise the field would lose the focus, and the list close, before the click.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
}

function toOption({ text, href }: Suggestion, index: number): HTMLElement {
  const option = document.createElement('a');
  option.id = `site-suggestion-${index}`;
  option.role = 'option';
  option.href = href;
  option.tabIndex = -1;
  option.dir = 'auto';
  option.textContent = text;
  return option;
}

async function request(text: string): Promise<readonly Suggestion[]> {
  const response = await fetch(`/search/suggestions?${new URLSearchParams({ q: text }).toString()}`, {
    headers: { Accept: 'application/json' },
  });
  if (!response.ok) throw new Error(`The site answered ${response.status}`);
  return ((await response.json()) as { suggestions: Suggestion[] }).suggestions;
}
