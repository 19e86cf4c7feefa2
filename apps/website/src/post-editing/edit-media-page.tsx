import type { JSX } from 'preact';
import { type FormTrouble, TroubleNote } from '../rendering/form-trouble';
import { DeleteMediaForm, MediaDetailsForm, type MediaValues } from './media-details';

interface EditMediaPageProps {
  readonly slug: string;
  readonly values: MediaValues;
  /** Path from which the editor was opened. */
  readonly next: string;
  readonly trouble?: FormTrouble | undefined;
}

/** What an uploader can change of a media. `editing.js` shows `#editor` over the media's page. */
export function EditMediaPage({ slug, values, next, trouble }: EditMediaPageProps): JSX.Element {
  return (
    <>
      <h1>Edit your file</h1>
      <p>
        <a href={next}>Back</a>
      </p>
      <div id="editor" class="editor">
        <section aria-labelledby="editor-words">
          <h2 id="editor-words">What it says</h2>
          <TroubleNote trouble={trouble} fields={['title', 'description', 'alt_text']} />
          <MediaDetailsForm slug={slug} values={values} next={next} trouble={trouble} />
        </section>
        <section aria-labelledby="editor-end">
          <h2 id="editor-end">Delete</h2>
          <DeleteMediaForm slug={slug} next={next} />
        </section>
      </div>
    </>
  );
}
