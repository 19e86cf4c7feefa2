import type { ComponentChildren, JSX } from 'preact';

/** Paragraphs of a document, with `code` in them. */
export const Prose = ({ text }: { readonly text: string }): JSX.Element => (
  <>
    {text
      .split(/\n\s*\n/)
      .filter((paragraph) => paragraph.trim() !== '')
      .map((paragraph) => (
        <p>
          <Words text={paragraph} />
        </p>
      ))}
  </>
);

/** A line of a document. */
export function Words({ text }: { readonly text: string }): JSX.Element {
  // Every other part stood between backticks.
  const parts = text.split('`');
  return <>{parts.map((part, i): ComponentChildren => (i % 2 === 1 ? <code>{part}</code> : part))}</>;
}
