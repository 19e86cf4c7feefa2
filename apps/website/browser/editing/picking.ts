import { enhanceForms } from '../dom/forms';
import { announce, recordServerOrder, listOf, showHandles } from './arranging';
import { fetchPage, takeFrom } from './fetched-page';
import { refreshReadingView } from './reading-view';

/** Adds media from the owner's uploads to a post, within the editor. */
export function enablePicking(): void {
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const opener = event.target.closest<HTMLAnchorElement>('a[data-picker]');
    const more = event.target.closest<HTMLAnchorElement>('a[data-more-media]');
    const place = opener?.closest('#editor-media')?.querySelector('[data-picker-place]');
    if (opener && place) {
      event.preventDefault();
      void toggle(opener, place);
    }
    if (more?.closest('[data-picker-place]')) {
      event.preventDefault();
      void bringMore(more);
    }
  });
  enhanceForms('add-media', {
    done(answer, form) {
      const place = form.closest<HTMLElement>('#editor-media');
      if (!place) return answer.location;
      form.remove();
      return void bringRows(place);
    },
  });
}

async function toggle(opener: HTMLAnchorElement, place: Element): Promise<void> {
  if (place.childElementCount > 0) return place.replaceChildren();
  if (opener.ariaBusy === 'true') return;
  opener.ariaBusy = 'true';
  const focused = document.activeElement;
  try {
    const picker = takeFrom(await fetchPage(opener.href), '#picker');
    place.replaceChildren(picker);
    if (document.activeElement !== focused) return;
    picker.scrollIntoView({ block: 'nearest' });
    picker.querySelector<HTMLElement>('input:enabled[type="checkbox"]')?.focus();
  } catch {
    location.assign(opener.href);
  } finally {
    opener.ariaBusy = null;
  }
}

async function bringMore(link: HTMLAnchorElement): Promise<void> {
  const items = link.closest('form')?.querySelector('[data-picker-items]');
  if (!items || link.ariaBusy === 'true') return;
  link.ariaBusy = 'true';
  try {
    const page = await fetchPage(link.href);
    const brought = [...page.querySelectorAll('[data-picker-items] > li')];
    items.append(...brought.map((item) => document.adoptNode(item)));
    brought[0]?.querySelector<HTMLElement>('input')?.focus();
    const next = page.querySelector<HTMLAnchorElement>('a[data-more-media]')?.getAttribute('href');
    if (next === null || next === undefined) link.remove();
    else link.href = next;
  } catch {
    location.assign(link.href);
  } finally {
    link.ariaBusy = null;
  }
}

/** Loads and adds the rows of media that were added. */
async function bringRows(place: HTMLElement): Promise<void> {
  try {
    const page = await fetchPage(`/p/${place.dataset['post'] ?? ''}/edit`);
    const list = listOf(place);
    const known = new Set([...list.children].map(({ id }) => id));
    const added = [...page.querySelectorAll<HTMLElement>('.arranger-row')].filter(({ id }) => !known.has(id));
    list.append(...added.map((row) => document.adoptNode(row)));
    showHandles(place);
    recordServerOrder(place);
    announce(place, added.length === 1 ? '1 added.' : `${added.length} added.`);
    added[0]?.querySelector<HTMLElement>('[data-handle]')?.focus();
    void refreshReadingView();
  } catch {
    location.reload();
  }
}
