import { plain } from './post-reader';

/** The contents of all `<meta>` elements of a page with this name or property. */
export const metaOf = (html: string, name: string): string[] =>
  [...html.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)"\/?>/g)]
    .filter((match) => match[1] === name)
    .map((match) => plain(match[2] ?? ''));

/** The JSON-LD of a page. */
export const jsonLdOf = (html: string): unknown[] =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
    ([, script = '']): unknown => JSON.parse(script),
  );
