import type { Media } from '@vitrine/client';
import type { JSX } from 'preact';
import { CopyField } from '../components/copy-field';
import { isVideo } from '../components/picture';
import { useVisit } from '../components/visit-context';
import { defaultSize, embedCodes, embedSizes, imageAttributes } from './embed-codes';

interface EmbedCodeFieldsProps {
  readonly media: Media;
  /** As in `embedCodes`. */
  readonly page: string | null;
  readonly alt: string;
  /** Unique within the page. */
  readonly id: string;
}

/**
 * The embed codes with copy buttons. With scripts, the chosen size is written into the codes (browser/post/embed-sizes.ts);
 * without, there are links to the sizes.
 */
export function EmbedCodeFields({ media, page, alt, id }: EmbedCodeFieldsProps): JSX.Element {
  const { site } = useVisit().urls;
  const sizes = isVideo(media) ? [] : embedSizes(media);
  const chosen = defaultSize(sizes);
  return (
    <div data-embed>
      {sizes.length > 1 && (
        <div class="copy-field">
          <label for={`${id}-size`}>Size</label>
          <select
            id={`${id}-size`}
            autocomplete="off"
            data-embed-size
            data-before={chosen && sizes.indexOf(chosen)}
          >
            {sizes.map((size) => (
              <option value={size.url} data-html={imageAttributes(size)} selected={size === chosen}>
                {size.name}: {size.width} × {size.height}
              </option>
            ))}
          </select>
          <noscript>{sizes.map(({ name, url }) => [<a href={url}>{name}</a>, ' '])}</noscript>
        </div>
      )}
      {embedCodes(media, { page, alt, site }).map(({ name, code }) => (
        <CopyField label={name} value={code} id={`${id}-${name.toLowerCase().replace(/\W+/g, '-')}`} />
      ))}
    </div>
  );
}
