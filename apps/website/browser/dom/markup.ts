interface TrustedTypePolicies {
  createPolicy(
    name: string,
    rules: { createHTML(markup: string): string },
  ): { createHTML(markup: string): string };
}

/** The Trusted Types policy (W3C) for markup from the site's own server. Nothing else may use it. */
const policy = (globalThis as { trustedTypes?: TrustedTypePolicies }).trustedTypes?.createPolicy('vitrine', {
  createHTML: (markup) => markup,
});

/** Parses markup from this site. Scripts in it don't run. */
export function parseMarkup(markup: string): Document {
  return new DOMParser().parseFromString(policy?.createHTML(markup) ?? markup, 'text/html');
}

/** The first element of markup from this site. Throws if there is none. */
export function elementOf(markup: string): HTMLElement {
  const element = parseMarkup(markup).body.firstElementChild;
  if (!(element instanceof HTMLElement)) throw new TypeError('The markup holds no element.');
  return document.adoptNode(element);
}
