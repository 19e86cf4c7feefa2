import type { JSX } from 'preact';
import type { Theme } from '../visits/visit';
import { PostForm } from '../components/post-form';

interface PreferencesPageProps {
  readonly showsNsfw: boolean;
  /** Undefined: as on the device. */
  readonly theme: Theme | undefined;
  /** Path to go on to. */
  readonly next: string;
  readonly error?: string | undefined;
}

/** The page for the choice of what this browser shows. */
export function PreferencesPage({ showsNsfw, theme, next, error }: PreferencesPageProps): JSX.Element {
  return (
    <>
      <h1>Preferences</h1>
      <PostForm action="/preferences" class="card stack">
        <input type="hidden" name="next" value={next} />
        <fieldset class="choices">
          <legend>Colours</legend>
          <Choice field="theme" value="" chosen={!theme} name="As on this device" />
          <Choice field="theme" value="light" chosen={theme === 'light'} name="Light" />
          <Choice field="theme" value="dark" chosen={theme === 'dark'} name="Dark" />
        </fieldset>
        <fieldset class="choices" aria-describedby={error === undefined ? undefined : 'nsfw-error'}>
          <legend>Sensitive content (NSFW)</legend>
          <p class="quiet">
            Pictures that people or moderators have marked as sensitive, mostly nudity, can be hidden from all
            lists.
          </p>
          <Choice
            field="nsfw"
            value="hide"
            chosen={!showsNsfw}
            name="Hide it"
            explained="Suitable for viewing at work."
          />
          <Choice
            field="nsfw"
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
          <span class="small quiet">This browser remembers your choices for a year.</span>
        </div>
      </PostForm>
    </>
  );
}

interface ChoiceProps {
  readonly field: string;
  readonly value: string;
  readonly chosen: boolean;
  readonly name: string;
  readonly explained?: string;
}

function Choice({ field, value, chosen, name, explained }: ChoiceProps): JSX.Element {
  const id = `${field}-${value || 'default'}`;
  return (
    <div class="choice">
      <input
        type="radio"
        name={field}
        id={id}
        value={value}
        checked={chosen}
        aria-describedby={explained === undefined ? undefined : `${id}-hint`}
      />
      <div>
        <label for={id}>{name}</label>
        {explained !== undefined && (
          <p class="hint" id={`${id}-hint`}>
            {explained}
          </p>
        )}
      </div>
    </div>
  );
}
