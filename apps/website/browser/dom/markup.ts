interface TrustedTypePolicies {
  createPolicy(
    name: string,
    rules: { createHTML(markup: string): string },
  ): { createHTML(markup: string): string };
}

/** Markup that our own server wrote, and nothing else, passes the browser's Trusted Types check (W3C) through here. */
const policy = (globalThis as { trustedTypes?: TrustedTypePolicies }).trustedTypes?.createPolicy('vitrine', {
  createHTML: (markup) => markup,
});

/** Parses markup that came from this site. No script in it runs. */
export function parseMarkup(markup: string): Document {
  return new DOMParser().parseFromString(policy?.createHTML(markup) ?? markup, 'text/html');
}

/** The first element of a piece of markup that came from this site. Throws where there is none. */
export function elementOf(markup: string): HTMLElement {
  const element = parseMarkup(markup).body.firstElementChild;
  if (!(element instanceof HTMLElement)) throw new TypeError('The markup holds no element.');
  return document.adoptNode(element);
}
