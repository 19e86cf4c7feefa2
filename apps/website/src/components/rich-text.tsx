import LinkifyIt from 'linkify-it';
import type { ComponentChildren, JSX } from 'preact';

/** Finds addresses with a scheme; it doesn't link bare domain names. */
const linkify = new LinkifyIt({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false }).add('@', {
  validate: /^[A-Za-z0-9_]{3,30}(?![\p{L}\p{N}_@-])/u,
  normalize: (match) => {
    match.url = `/u/${match.raw.slice(1)}`;
  },
});
const SCHEMES: readonly string[] = ['http:', 'https:'];

/**
 * A user's text with paragraphs, line breaks, links to http(s) addresses (`rel="nofollow ugc noopener"`), and links from
 * `@` and a username to the profile.
 */
export function RichText({ text }: { readonly text: string }): JSX.Element {
  const paragraphs = text.trim().split(/\n[^\S\n]*\n\s*/);
  return (
    <div class="rich-text">
      {paragraphs.map((paragraph) => (
        <p dir="auto">
          {paragraph.split('\n').map((line, index) => (
            <>
              {index > 0 && <br />}
              {withLinks(line)}
            </>
          ))}
        </p>
      ))}
    </div>
  );
}

function withLinks(line: string): ComponentChildren {
  const pieces: ComponentChildren[] = [];
  let end = 0;
  for (const { schema, index, lastIndex, url, raw } of linkify.match(line) ?? []) {
    const isMention = schema === '@';
    if (!isMention && (!SCHEMES.includes(schema.toLowerCase()) || !URL.canParse(url))) continue;
    pieces.push(
      line.slice(end, index),
      isMention ? (
        <a href={url}>{raw}</a>
      ) : (
        <a href={new URL(url).href} rel="nofollow ugc noopener">
          {raw}
        </a>
      ),
    );
    end = lastIndex;
  }
  return [...pieces, line.slice(end)];
}
