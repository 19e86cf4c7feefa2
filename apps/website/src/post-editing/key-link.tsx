import type { JSX } from 'preact';
import { CopyField } from '../components/copy-field';
import { postPath } from '../posts/post-path';
import { useVisit } from '../rendering/visit-context';

interface KeyLinkProps {
  readonly slug: string;
  readonly accessKey: string;
  /** Unique within the page. */
  readonly id: string;
}

/** The one address that opens a private post, to be copied. */
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
