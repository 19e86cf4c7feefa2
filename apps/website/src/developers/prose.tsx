import type { ComponentChildren, JSX } from 'preact';

/** Paragraphs of text with `code` in backticks. */
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

/** A line of text with `code` in backticks. */
export function Words({ text }: { readonly text: string }): JSX.Element {
  // Every second part was between backticks.
  const parts = text.split('`');
  return <>{parts.map((part, i): ComponentChildren => (i % 2 === 1 ? <code>{part}</code> : part))}</>;
}
