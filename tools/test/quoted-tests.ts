import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

/** A quotation of a test in a page: the short name of its spec and its title. */
export interface QuotedTest {
  readonly short: string;
  readonly title: string;
}

/** The rows of a page's table of specs: the short name, the path as shown and the path that is linked. */
export const specRows = (page: string): readonly { short: string; shown: string; path: string }[] =>
  [...page.matchAll(/^\| \*\*([\w-]+)\*\* +\| \[([^\]]+)\]\(\.\.\/([^)]+)\) +\|$/gm)].map(
    ([, short = '', shown = '', path = '']) => ({ short, shown, path }),
  );

export const quotedTests = (text: string): readonly QuotedTest[] =>
  [...text.matchAll(/\*\*([\w-]+)\*\* “([^”]+)”/g)].map(([, short = '', title = '']) => ({ short, title }));

/** Whether a spec has a test, or a group of tests, with this title: as the first argument of a call or item of a list. */
export function hasTest(path: string, title: string): boolean {
  const source = readFileSync(join(root, path), 'utf8').replaceAll("\\'", "'");
  return ["'", '"', '`'].some((quote) =>
    source
      .split(quote + title + quote)
      .slice(0, -1)
      .some((before) => /[([]$/.test(before.trimEnd())),
  );
}
