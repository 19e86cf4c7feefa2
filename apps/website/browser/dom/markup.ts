import { ownServer } from './trusted-types';

/** Parses markup from this site. Scripts in it don't run. */
export function parseMarkup(markup: string): Document {
  return new DOMParser().parseFromString(ownServer?.createHTML(markup) ?? markup, 'text/html');
}

/** The first element of markup from this site. Throws if there is none. */
export function elementOf(markup: string): HTMLElement {
  const element = parseMarkup(markup).body.firstElementChild;
  if (!(element instanceof HTMLElement)) throw new TypeError('The markup holds no element.');
  return document.adoptNode(element);
}
