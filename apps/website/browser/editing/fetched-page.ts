import { parseMarkup } from '../dom/markup';

/** Loads a page of this site. Throws if it is missing or redirects to another page, such as the login. */
export async function fetchPage(address: string): Promise<Document> {
  const response = await fetch(address);
  if (!response.ok || response.redirected)
    throw new TypeError(`${address} came with status ${response.status}.`);
  return parseMarkup(await response.text());
}

/** Takes an element of a loaded page, to be inserted into this one. Throws if it isn't there. */
export function takeFrom(page: Document, selector: string): HTMLElement {
  const element = page.querySelector<HTMLElement>(selector);
  if (!element) throw new TypeError(`The page holds no ${selector}.`);
  showCopyButtons(element);
  return document.adoptNode(element);
}

/** Copy buttons are hidden in the markup, because they need a script. */
export function showCopyButtons(within: ParentNode): void {
  for (const button of within.querySelectorAll<HTMLElement>('[data-copy]')) button.hidden = false;
}
