import type { Media } from '@vitrine/client';
import type { ComponentChildren, JSX } from 'preact';
import { Icon } from '../components/icon';
import { isVideo, Picture } from '../components/picture';
import { placeholderOf } from '../components/placeholder';
import { RichText } from '../components/rich-text';
import { useVisit } from '../rendering/visit-context';
import { EmbedCodeFields } from './embed-code-fields';
import { embedCodes, isShownEverywhere } from './embed-codes';
import { factsOf, kindOf } from './media-facts';
import { VideoPlayer } from './video-player';

interface MediaFigureProps {
  readonly media: Media;
  /** Which of how many on the page, from 1. */
  readonly position: number;
  readonly count: number;
  /** Of the page's heading, which isn't said twice. */
  readonly pageTitle: string | null;
  /** Address that an embedded picture leads to; null where nobody else can open it. */
  readonly page: string | null;
  /** It is the first: it doesn't wait for the layout. */
  readonly eager: boolean;
  /** It is adult content that the visitor hasn't asked for. */
  readonly veiled: boolean;
  /** Whether its codes are offered here, or elsewhere on the page. */
  readonly withCodes: boolean;
}

/** The column of styles/post.css that holds it. */
const SIZES = '(min-width: 106rem) 76rem, (min-width: 64rem) calc(100vw - 28rem), calc(100vw - 1.5rem)';

/** A picture or video as the hero of a page, with what can be done with it. */
export function MediaFigure(props: MediaFigureProps): JSX.Element {
  const { media, pageTitle, page, veiled, withCodes } = props;
  const { urls } = useVisit();
  const id = `media-${media.slug}`;
  const alt = media.alt_text ?? media.title ?? pageTitle ?? '';
  const heading = media.title !== null && media.title !== pageTitle ? media.title : null;
  return (
    <section
      class="post-media"
      id={id}
      data-id={media.slug}
      data-media-id={media.id}
      aria-label={nameOf(props)}
    >
      {heading !== null && <h2 dir="auto">{heading}</h2>}
      {veiled ? (
        <Veil media={media}>
          <Stage {...props} />
        </Veil>
      ) : (
        <Stage {...props} />
      )}
      {media.description !== null && <RichText text={media.description} />}
      <div class="media-actions">
        <a
          href={`/m/${media.slug}`}
          class="facts"
          aria-label={`${nameOf(props)} on its own page: ${factsOf(media)}`}
        >
          {factsOf(media)}
        </a>
        <a
          class="button quiet-button"
          href={`${media.urls.original}?download`}
          download={`${media.slug}.${media.ext}`}
        >
          <Icon name="download" />
          <span>
            Download<span class="visually-hidden"> {nameOf(props).toLowerCase()}</span>
          </span>
        </a>
        {withCodes && (
          <details class="fold" data-menu>
            <summary class="button quiet-button">
              <Icon name="share" />
              <span>
                Embed<span class="visually-hidden"> {nameOf(props).toLowerCase()}</span>
              </span>
            </summary>
            <div class="fold-body">
              <EmbedCodeFields codes={embedCodes(media, { page, alt, site: urls.site })} id={id} />
            </div>
          </details>
        )}
      </div>
    </section>
  );
}

/** `Picture`, `Video 2 of 3` */
const nameOf = ({ media, position, count }: MediaFigureProps): string =>
  count === 1 ? kindOf(media) : `${kindOf(media)} ${position} of ${count}`;

/** What is seen. */
function Stage({ media, pageTitle, eager, veiled }: MediaFigureProps): JSX.Element {
  if (media.processing_error !== null) {
    return (
      <div class="stage stage-empty">
        <p>This file could not be processed: {media.processing_error}</p>
      </div>
    );
  }
  // Until the sizes are made, the original stands in, where browsers know its format.
  if (!media.processed && (isVideo(media) || !isShownEverywhere(media))) return <Waiting media={media} />;
  if (isVideo(media)) return <Player media={media} />;
  return (
    <div class="stage">
      <a
        class={`frame ${fitClass(media)}`}
        href={media.urls.original}
        data-zoom={media.processed && !media.animated ? media.urls.xl : media.urls.original}
      >
        <Shape media={media} />
        <Picture
          media={media}
          sizes={SIZES}
          eager={eager && !veiled}
          alt={media.alt_text ?? media.title ?? pageTitle ?? ''}
        />
        <span class="visually-hidden"> (full size)</span>
      </a>
      {media.animated && (
        <button type="button" class="motion-button" data-motion-button hidden>
          Pause
        </button>
      )}
    </div>
  );
}

function Player({ media }: { readonly media: Media }): JSX.Element {
  return (
    <div class="stage">
      <div class={`frame ${fitClass(media)}`}>
        <Shape media={media} />
        <VideoPlayer media={media}>
          <p>
            Your browser plays no such videos. <a href={media.urls.original}>Download it</a> instead.
          </p>
        </VideoPlayer>
      </div>
    </div>
  );
}

/** What can't be shown before it has been prepared. The script looks again; without one, the visitor does. */
function Waiting({ media }: { readonly media: Media }): JSX.Element {
  return (
    <div class="stage stage-empty" data-waiting={`/m/${media.slug}`}>
      <p>This {kindOf(media).toLowerCase()} is being prepared. It will be here in a moment.</p>
      <p>
        <a class="button" href={media.urls.original}>
          Open the original
        </a>
      </p>
    </div>
  );
}

/** A cover over adult content, of its shape and its colours; opened by a click, and by the keyboard. */
function Veil({
  media,
  children,
}: {
  readonly media: Media;
  readonly children: ComponentChildren;
}): JSX.Element {
  const blur = media.thumbhash === null ? null : placeholderOf(media.thumbhash);
  return (
    <details class="veil" data-veil>
      <summary>
        <span class="stage veil-cover">
          <span class={`frame ${fitClass(media)}`}>
            <Shape media={media} />
            {blur !== null && (
              <img class="veil-blur" src={blur} alt="" width={media.width} height={media.height} />
            )}
            <span class="veil-words">
              <Icon name="eye" size={28} />
              <strong>Adult content</strong>
              <span class="button">I am 18 or older: show it</span>
            </span>
          </span>
        </span>
        <span class="veil-close button quiet-button">Hide it again</span>
      </summary>
      {children}
    </details>
  );
}

/** Takes the room of a media before anything of it has come, exactly, whatever its sizes were rounded to. */
function Shape({ media: { width, height } }: { readonly media: Media }): JSX.Element {
  return (
    <svg class="shape" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" />
  );
}

const FIT_STEPS = 10;
const MOST_FIT = 20;

/**
 * The class (styles/post/stage.css) that keeps a picture within the window's height, by its height in tenths of its
 * width. What is more than twice as high as wide is meant to be scrolled through.
 */
export function fitClass({ width, height }: Pick<Media, 'width' | 'height'>): string {
  const tenths = Math.ceil((FIT_STEPS * height) / Math.max(1, width));
  if (tenths > MOST_FIT) return 'fit-none';
  return `fit-${Math.max(4, tenths)}`;
}
