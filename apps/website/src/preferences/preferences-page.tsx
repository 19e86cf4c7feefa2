import type { JSX } from 'preact';
import { PostForm } from '../components/post-form';

interface PreferencesPageProps {
  readonly showsNsfw: boolean;
  /** Path to go on to. */
  readonly next: string;
  readonly error?: string | undefined;
}

/** What is shown in this browser. */
export function PreferencesPage({ showsNsfw, next, error }: PreferencesPageProps): JSX.Element {
  return (
    <>
      <h1>Preferences</h1>
      <PostForm action="/preferences" class="card stack">
        <input type="hidden" name="next" value={next} />
        <fieldset class="choices" aria-describedby={error === undefined ? undefined : 'nsfw-error'}>
          <legend>Sensitive content (NSFW)</legend>
          <p class="quiet">
            Pictures that people or our moderators have marked as sensitive, nudity above all, are left out of
            every list.
          </p>
          <Choice
            value="hide"
            chosen={!showsNsfw}
            name="Leave it out"
            explained="What you see is fit for work."
          />
          <Choice
            value="show"
            chosen={showsNsfw}
            name="Show it, I am 18 or older"
            explained="Only if you are at least 18 years old, and of age where you live. It is marked wherever it is shown."
          />
          {error !== undefined && (
            <p class="error" id="nsfw-error">
              {error}
            </p>
          )}
        </fieldset>
        <div class="row">
          <button class="button primary">Save</button>
          <span class="small quiet">This browser remembers it for a year.</span>
        </div>
      </PostForm>
    </>
  );
}

interface ChoiceProps {
  readonly value: string;
  readonly chosen: boolean;
  readonly name: string;
  readonly explained: string;
}

function Choice({ value, chosen, name, explained }: ChoiceProps): JSX.Element {
  return (
    <div class="choice">
      <input
        type="radio"
        name="nsfw"
        id={`nsfw-${value}`}
        value={value}
        checked={chosen}
        aria-describedby={`nsfw-${value}-hint`}
      />
      <div>
        <label for={`nsfw-${value}`}>{name}</label>
        <p class="hint" id={`nsfw-${value}-hint`}>
          {explained}
        </p>
      </div>
    </div>
  );
}
