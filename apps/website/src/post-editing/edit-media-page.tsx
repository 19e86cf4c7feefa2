import type { JSX } from 'preact';
import type { FormProblem } from '../results/form-problem';
import { FormProblemNote } from '../components/form-problem-note';
import { DeleteMediaForm, MediaDetailsForm, type MediaValues } from './media-details';

interface EditMediaPageProps {
  readonly slug: string;
  readonly values: MediaValues;
  /** Path from which the editor was opened. */
  readonly next: string;
  readonly problem?: FormProblem | undefined;
}

/** The page on which an uploader edits a media item. `editing.js` shows `#editor` over the media item's page. */
export function EditMediaPage({ slug, values, next, problem }: EditMediaPageProps): JSX.Element {
  return (
    <>
      <h1>Edit your file</h1>
      <p>
        <a href={next}>Back</a>
      </p>
      <div id="editor" class="editor">
        <section aria-labelledby="editor-words">
          <h2 id="editor-words">Details</h2>
          <FormProblemNote problem={problem} fields={['title', 'description', 'alt_text']} />
          <MediaDetailsForm slug={slug} values={values} next={next} problem={problem} />
        </section>
        <section aria-labelledby="editor-end">
          <h2 id="editor-end">Delete</h2>
          <DeleteMediaForm slug={slug} next={next} />
        </section>
      </div>
    </>
  );
}
