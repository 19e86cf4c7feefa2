import type { JSX } from 'preact';
import { CopyField } from '../components/copy-field';
import type { EmbedCode } from './embed-codes';

interface EmbedCodeFieldsProps {
  readonly codes: readonly EmbedCode[];
  /** Unique within the page. */
  readonly id: string;
}

/** The embed codes with copy buttons. */
export function EmbedCodeFields({ codes, id }: EmbedCodeFieldsProps): JSX.Element {
  return (
    <>
      {codes.map(({ name, code }) => (
        <CopyField label={name} value={code} id={`${id}-${name.toLowerCase().replace(/\W+/g, '-')}`} />
      ))}
    </>
  );
}
