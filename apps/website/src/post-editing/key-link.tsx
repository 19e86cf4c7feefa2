import type { JSX } from 'preact';
import { CopyField } from '../components/copy-field';
import { postPath } from '../links/paths';
import { useVisit } from '../components/visit-context';

interface KeyLinkProps {
  readonly slug: string;
  readonly accessKey: string;
  /** Unique within the page. */
  readonly id: string;
}

/** The link with the access key of a private post, with a copy button. */
export function KeyLink({ slug, accessKey, id }: KeyLinkProps): JSX.Element {
  const { urls } = useVisit();
  return (
    <div class="key-link callout">
      <CopyField
        id={id}
        label="Only this link opens the post"
        value={urls.site + postPath(slug, { key: accessKey })}
      />
    </div>
  );
}
