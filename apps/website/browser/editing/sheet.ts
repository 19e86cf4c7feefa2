import { setUpArranger } from './arranging';
import { hasUnsaved } from './details';
import { fetchPage, takeFrom } from './fetched-page';
import { isReadingViewStale } from './reading-view';

/** Opens editors in a sheet over the current page instead of on a separate page. */
export function enableSheet(): void {
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest<HTMLAnchorElement>('a[data-editor]');
    if (!link) return;
    event.preventDefault();
    void open(link);
  });
}

async function open(link: HTMLAnchorElement): Promise<void> {
  if (link.ariaBusy === 'true') return;
  link.ariaBusy = 'true';
  try {
    const editor = takeFrom(await fetchPage(link.href), '#editor');
    show(editor, link.dataset['editor'] ?? '', link.getAttribute('href') ?? '');
  } catch {
    location.assign(link.href);
  } finally {
    link.ariaBusy = null;
  }
}

function show(editor: HTMLElement, title: string, href: string): void {
  const sheet = document.createElement('dialog');
  sheet.className = 'sheet';
  sheet.setAttribute('aria-labelledby', 'sheet-title');
  sheet.dataset['scrolls'] = '';
  const heading = document.createElement('h2');
  heading.id = 'sheet-title';
  heading.textContent = title;
  heading.tabIndex = -1;
  const done = document.createElement('button');
  done.type = 'button';
  done.className = 'button';
  done.textContent = 'Done';
  const head = document.createElement('header');
  head.className = 'sheet-head';
  head.append(heading, done);
  sheet.append(head, editor);

  // Everything except the notices, which report the results of changes.
  const behind = [...document.body.children].filter(
    (child): child is HTMLElement => child instanceof HTMLElement && child.id !== 'notices',
  );
  const close = (): void => {
    if (hasUnsaved(sheet) && !confirm('Close without saving what you changed?')) return;
    sheet.remove();
    for (const element of behind) element.inert = false;
    document.body.classList.remove('is-editing');
    if (isReadingViewStale()) location.reload();
    document.querySelector<HTMLElement>(`a[data-editor][href="${CSS.escape(href)}"]`)?.focus();
  };
  done.addEventListener('click', close);
  sheet.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
    // Escape cancels the drag only.
    if (sheet.querySelector('[data-dragging]')) return;
    event.preventDefault();
    close();
  });

  for (const element of behind) element.inert = true;
  document.body.classList.add('is-editing');
  document.body.append(sheet);
  sheet.show();
  heading.focus();
  setUpArranger(sheet);
}
