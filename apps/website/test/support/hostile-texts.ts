import type { Page } from 'playwright-core';

/**
 * Texts that become markup or script if a page forgets to escape them: in text, in attributes with either quote, in
 * title, textarea, style, script, comment, in addresses and in JSON, written once or decoded twice. A text that is
 * not escaped leaves an element or attribute named `xss-mark`, which no policy can hide.
 */
export const HOSTILE_TEXTS: readonly string[] = [
  '<xss-mark>',
  '<script xss-mark>alert(1)</script>',
  '<img src=x xss-mark onerror=alert(1)>',
  '<svg xss-mark onload=alert(1)>',
  '"><xss-mark>',
  "'><xss-mark>",
  '" xss-mark onfocus=alert(1) autofocus x="',
  "' xss-mark onfocus=alert(1) autofocus x='",
  '</title><xss-mark>',
  '</textarea><xss-mark>',
  '</script><xss-mark>',
  '</style><xss-mark>',
  '--><xss-mark>',
  '<!--<script>',
  '&lt;xss-mark&gt;',
  '\\u003cxss-mark\\u003e',
  '%3Cxss-mark%3E',
  'javascript:alert(1)',
  'https://x.example/"xss-mark="',
  'https://x.example/<xss-mark>',
  '[a](javascript:alert(1))',
  '{{constructor.constructor("alert(1)")()}}',
];

/** The texts joined into as few as possible, none longer than `most` characters. */
export function hostileTexts(most: number): string[] {
  const packed: string[] = [];
  for (const text of HOSTILE_TEXTS) {
    const longer = `${packed.at(-1) ?? ''} ${text}`.trim();
    if (packed.length > 0 && longer.length <= most) packed[packed.length - 1] = longer;
    else packed.push(text);
  }
  return packed;
}

/** The elements that hostile texts have created in the page; expected to be empty. */
export function escaped(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const marked = [...document.querySelectorAll('xss-mark, [xss-mark]')];
    const links = [...document.querySelectorAll('[href], [src], [action], [formaction], [poster]')].filter(
      (element) =>
        ['href', 'src', 'action', 'formaction', 'poster'].some((name) =>
          /^\s*(?:javascript|vbscript|data:text)/i.test(element.getAttribute(name) ?? ''),
        ),
    );
    const handlers = [...document.querySelectorAll('*')].filter((element) =>
      element.getAttributeNames().some((name) => name.startsWith('on')),
    );
    return [...marked, ...links, ...handlers].map((element) => element.outerHTML.slice(0, 200));
  });
}
