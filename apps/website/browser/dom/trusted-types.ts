interface Rules {
  createHTML(markup: string): string;
  createScriptURL(url: string): string;
}

/**
 * The Trusted Types policy (W3C) for markup and scripts from the site's own server; nothing else may use it. Undefined in
 * browsers without Trusted Types.
 */
export const ownServer = (
  globalThis as { trustedTypes?: { createPolicy(name: string, rules: Rules): Rules } }
).trustedTypes?.createPolicy('vitrine', { createHTML: (markup) => markup, createScriptURL: (url) => url });
