import type { JSX } from 'preact';
import { Icon } from './icon';

interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  /** Unique within the page. */
  readonly id: string;
}

/** A read-only text to copy. It can be selected; with scripts, a button copies it (browser/dom/copying.ts). */
export function CopyField({ label, value, id }: CopyFieldProps): JSX.Element {
  return (
    <div class="copy-field">
      <label for={id}>{label}</label>
      <div class="copy-line">
        <input id={id} type="text" readOnly value={value} autocomplete="off" spellcheck={false} />
        <button type="button" class="button" data-copy={id} hidden>
          <Icon name="copy" />
          <span>
            Copy<span class="visually-hidden"> {label}</span>
          </span>
        </button>
      </div>
    </div>
  );
}
