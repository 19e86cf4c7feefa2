import { parseMarkup } from '../dom/markup';

/** A page of this site. Throws where it isn't there, or where another one came in its place: the login, say. */
export async function fetchPage(address: string): Promise<Document> {
  const response = await fetch(address);
  if (!response.ok || response.redirected)
    throw new TypeError(`${address} came with status ${response.status}.`);
  return parseMarkup(await response.text());
}

/** An element of a page that was fetched, to be put into this one. Throws where it isn't there. */
export function takeFrom(page: Document, selector: string): HTMLElement {
  const element = page.querySelector<HTMLElement>(selector);
  if (!element) throw new TypeError(`The page holds no ${selector}.`);
  showCopyButtons(element);
  return document.adoptNode(element);
}

/** They are hidden until a script can serve them. */
export function showCopyButtons(within: ParentNode): void {
  for (const button of within.querySelectorAll<HTMLElement>('[data-copy]')) button.hidden = false;
}
