/** The data that a program finds on the page of a post. */
export interface ReadPost {
  readonly title: string;
  readonly id: number;
  readonly author: string;
  readonly score: number;
  readonly views: number;
  readonly tags: readonly string[];
  readonly files: readonly ReadFile[];
}

export interface ReadFile {
  readonly slug: string;
  readonly id: number;
  readonly url: string;
}

/**
 * Reads the page of a post as gallery-dl (extractor `imgpile`) does: by string search, forwards only. A text that
 * isn't found is empty, and the search continues from the same position.
 */
export function readPost(html: string, siteName: string): ReadPost {
  let place = 0;
  const next = (begin: string, end: string): string => {
    const [start, stop] = rangeOf(html, begin, end, place);
    if (stop < 0) return '';
    place = stop + end.length;
    return html.slice(start, stop);
  };
  const head = {
    title: plain(next('<title>', ` - ${siteName}<`)),
    id: Number(next('data-post-id="', '"')),
    author: next('/u/', '"'),
    score: Number(next('class="post-score">', '</')),
    views: Number(next('class="meta-value">', '<').replaceAll(',', '')),
    tags: next(' <!-- Tags -->', '<!-- "')
      .split(/<[^>]+>/)
      .filter((tag) => tag.trim() !== '')
      .map(plain),
  };
  const files: ReadFile[] = [];
  for (let media = next('lass="post-media', '</div>'); media !== '';) {
    files.push({
      slug: within(media, 'data-id="', '"'),
      id: Number(within(media, 'data-media-id="', '"')),
      url: `http${within(media, '<a href="http', '"')}`,
    });
    media = next('lass="post-media', '</div>');
  }
  return { ...head, files };
}

function rangeOf(text: string, begin: string, end: string, from: number): [start: number, stop: number] {
  const found = text.indexOf(begin, from);
  const start = found + begin.length;
  return [start, found < 0 ? -1 : text.indexOf(end, start)];
}

function within(text: string, begin: string, end: string): string {
  const [start, stop] = rangeOf(text, begin, end, 0);
  return stop < 0 ? '' : text.slice(start, stop);
}

/** The text of markup without elements. */
export const plain = (markup: string): string =>
  markup
    .trim()
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
