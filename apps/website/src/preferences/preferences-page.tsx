import type { JSX } from 'preact';
import { PostForm } from '../components/post-form';

interface PreferencesPageProps {
  readonly showsNsfw: boolean;
  /** Path to go on to. */
  readonly next: string;
  readonly error?: string | undefined;
}

/** The page for the choice of what this browser shows. */
export function PreferencesPage({ showsNsfw, next, error }: PreferencesPageProps): JSX.Element {
  return (
    <>
      <h1>Preferences</h1>
      <PostForm action="/preferences" class="card stack">
        <input type="hidden" name="next" value={next} />
        <fieldset class="choices" aria-describedby={error === undefined ? undefined : 'nsfw-error'}>
          <legend>Sensitive content (NSFW)</legend>
          <p class="quiet">
            Pictures that people or moderators have marked as sensitive, mostly nudity, can be hidden from all
            lists.
          </p>
          <Choice value="hide" chosen={!showsNsfw} name="Hide it" explained="Suitable for viewing at work." />
          <Choice
            value="show"
            chosen={showsNsfw}
            name="Show it, I am 18 or older"
            explained="Only if you are at least 18 years old and an adult where you live. Sensitive content is always marked."
          />
          {error !== undefined && (
            <p class="error" id="nsfw-error">
              {error}
            </p>
          )}
        </fieldset>
        <div class="row">
          <button class="button primary">Save</button>
          <span class="small quiet">This browser remembers your choice for a year.</span>
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
