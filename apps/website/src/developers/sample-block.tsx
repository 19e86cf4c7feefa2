import type { JSX } from 'preact';
import { Icon } from '../components/icon';
import { LANGUAGES, type Samples } from './samples';

interface SampleBlockProps {
  /** Unique within the page. */
  readonly id: string;
  readonly samples: Samples;
}

/** A request in every language; the style sheet shows the chosen one. */
export function SampleBlock({ id, samples }: SampleBlockProps): JSX.Element {
  return (
    <div class="samples">
      {LANGUAGES.map(([language, name]) => (
        <Code id={`${id}-${language}`} label={name} text={samples[language]} language={language} />
      ))}
    </div>
  );
}

interface CodeProps {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly language?: string;
}

/** A code sample with a copy button. */
export function Code({ id, label, text, language }: CodeProps): JSX.Element {
  return (
    <div class="sample" data-language={language}>
      <div class="sample-head">
        <span>{label}</span>
        <button type="button" class="icon-button" data-copy={id} aria-label={`Copy ${label}`} hidden>
          <Icon name="copy" />
        </button>
      </div>
      <pre tabIndex={0} aria-label={label} role="group">
        <code id={id}>{text}</code>
      </pre>
    </div>
  );
}

/** The choice of the language for all samples of the page. It works without scripts. */
export function LanguageChoice(): JSX.Element {
  return (
    <fieldset class="languages">
      <legend class="visually-hidden">Language of the samples</legend>
      {LANGUAGES.map(([language, name], i) => (
        <label>
          <input
            type="radio"
            name="language"
            id={`language-${language}`}
            value={language}
            checked={i === 0}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}
