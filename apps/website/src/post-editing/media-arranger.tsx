import type { Media } from '@vitrine/client';
import type { JSX } from 'preact';
import { Icon, type IconName } from '../components/icon';
import { PostForm } from '../components/post-form';
import { MediaDetailsForm, mediaValuesOf } from './media-details';
import { mediaName, MediaThumb } from './media-thumb';
import { editPath, type OwnPost } from './owner-access';

const ORDER_FORM = 'media-order';
const REMOVE_FORM = 'media-remove';

/** The list in which an owner reorders, describes, removes and adds the media of a post. */
export function MediaArranger({ post }: { readonly post: OwnPost }): JSX.Element {
  const { slug, media } = post;
  return (
    <div id="editor-media" data-post={slug}>
      <PostForm action={`/p/${slug}/order`} id={ORDER_FORM}>
        <input type="hidden" name="order" value={media.map((one) => one.slug).join(',')} />
      </PostForm>
      <PostForm action={`/p/${slug}/media`} id={REMOVE_FORM} />
      <p class="hint" id="arranging-hint" data-dragging-hint hidden>
        Drag the handles, or use the arrow keys on them. The new order is saved immediately.
      </p>
      <p class="visually-hidden" role="status" data-announcements />
      <div class="removed-media" data-removed />
      <ol class="plain-list arranger" data-arranger>
        {media.map((one, index) => (
          <MediaRow media={one} name={mediaName(one, index)} index={index} of={media.length} slug={slug} />
        ))}
      </ol>
      <div class="row adding">
        <a class="button" href={`/upload?${new URLSearchParams({ post: slug }).toString()}`}>
          <Icon name="upload" />
          Upload more
        </a>
        <a class="button" href={pickerPath(slug)} data-picker>
          <Icon name="images" />
          Add from your media
        </a>
      </div>
      <div data-picker-place />
    </div>
  );
}

/** Path of the page on which the owner picks from their uploads. */
export const pickerPath = (slug: string, page = 1): string =>
  `/p/${encodeURIComponent(slug)}/media${page === 1 ? '' : `?page=${page}`}`;

interface MediaRowProps {
  readonly media: Media;
  readonly name: string;
  readonly index: number;
  readonly of: number;
  /** Of the post. */
  readonly slug: string;
}

function MediaRow({ media, name, index, of, slug }: MediaRowProps): JSX.Element {
  return (
    <li
      class="arranger-row"
      id={`row-${media.slug}`}
      data-slug={media.slug}
      data-media-id={media.id}
      data-name={name}
    >
      <div class="arranger-head">
        <button
          type="button"
          class="icon-button drag-handle"
          data-handle
          hidden
          aria-label={`Move ${name}`}
          aria-describedby="arranging-hint"
        >
          <Icon name="drag" />
        </button>
        <MediaThumb media={media} size={56} />
        <div class="arranger-main">
          <span class="arranger-name">{name}</span>
          <span class="arranger-buttons">
            <Move media={media} name={name} direction="up" isOff={index === 0} icon="up" />
            <Move media={media} name={name} direction="down" isOff={index === of - 1} icon="down" />
            <button
              class="icon-button"
              form={REMOVE_FORM}
              name="remove"
              value={media.slug}
              aria-label={`Remove ${name} from the post`}
              title="Remove from the post"
            >
              <Icon name="close" />
            </button>
          </span>
        </div>
      </div>
      <details class="arranger-details">
        <summary>
          Title and description<span class="visually-hidden"> of {name}</span>
        </summary>
        <MediaDetailsForm
          slug={media.slug}
          values={mediaValuesOf(media)}
          next={`${editPath(slug)}#row-${media.slug}`}
        />
      </details>
    </li>
  );
}

interface MoveProps {
  readonly media: Media;
  readonly name: string;
  readonly direction: 'up' | 'down';
  readonly isOff: boolean;
  readonly icon: IconName;
}

function Move({ media, name, direction, isOff, icon }: MoveProps): JSX.Element {
  return (
    <button
      class="icon-button"
      form={ORDER_FORM}
      name="move"
      value={`${media.slug} ${direction}`}
      aria-label={`Move ${name} ${direction}`}
      aria-disabled={isOff ? 'true' : undefined}
    >
      <Icon name={icon} />
    </button>
  );
}
