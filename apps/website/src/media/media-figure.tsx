import type { Media } from '@vitrine/client';
import { encodeFileName, toFileName } from '@vitrine/contracts';
import type { ComponentChildren, JSX } from 'preact';
import { Icon } from '../components/icon';
import { isShownEverywhere, isVideo, Picture } from '../components/picture';
import { placeholderOf } from '../components/placeholder';
import { RichText } from '../components/rich-text';
import { EmbedCodeFields } from './embed-code-fields';
import { factsOf, kindOf } from './media-facts';
import { PlayerMenu, VideoPlayer } from './video-player';

interface MediaFigureProps {
  readonly media: Media;
  /** Position on the page, from 1. */
  readonly position: number;
  readonly count: number;
  /** The page's heading, which isn't repeated here. */
  readonly pageTitle: string | null;
  /** Address to which an embedded picture links; null if others can't open it. */
  readonly page: string | null;
  /** Whether it is the first one, which is not loaded lazily. */
  readonly eager: boolean;
  /** Whether it is adult content that the visitor has not chosen to see. */
  readonly veiled: boolean;
  /** Whether the embed codes are shown here or elsewhere on the page. */
  readonly withCodes: boolean;
}

/** The `sizes` of a picture in the column of styles/post/stage.css. */
const SIZES = '(min-width: 106rem) 76rem, (min-width: 64rem) calc(100vw - 28rem), calc(100vw - 1.5rem)';

/**
 * A picture or video as the main content of a page, with its actions. Programs find the file by string search: the
 * first `<a href="http` after `class="post-media` must lead to the original, before any `</div>`. They pass over media
 * without a file, because there the class is not the first one.
 */
export function MediaFigure(props: MediaFigureProps): JSX.Element {
  const { media, pageTitle, page, veiled, withCodes } = props;
  const id = `media-${media.slug}`;
  const alt = media.alt_text ?? media.title ?? pageTitle ?? '';
  const hasFile = media.processing_error === null;
  const heading = media.title !== null && media.title !== pageTitle ? media.title : null;
  return (
    <section
      class={hasFile ? 'post-media' : 'without-file post-media'}
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
          aria-label={`Details: ${factsOf(media)} (${nameOf(props)})`}
        >
          Details: {factsOf(media)}
        </a>
        <a class="button quiet-button" href={downloadAddress(props)} download={`${media.slug}.${media.ext}`}>
          <Icon name="download" />
          <span>
            Download<span class="visually-hidden"> {nameOf(props).toLowerCase()}</span>
          </span>
        </a>
        {hasFile && isVideo(media) && <PlayerMenu media={media} />}
        {withCodes && (
          <details class="fold" data-menu>
            <summary class="button quiet-button">
              <Icon name="share" />
              <span>
                Embed<span class="visually-hidden"> {nameOf(props).toLowerCase()}</span>
              </span>
            </summary>
            <div class="fold-body">
              <EmbedCodeFields media={media} page={page} alt={alt} id={id} />
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

/** The address at which browsers save the original under its title, or under that of the page with its position. */
function downloadAddress({ media, pageTitle, position, count }: MediaFigureProps): string {
  const title = media.title ?? (pageTitle === null || count === 1 ? pageTitle : `${pageTitle} ${position}`);
  const name = encodeFileName(toFileName(title ?? ''));
  return `${media.urls.original}?download${name === '' ? '' : `=${name}`}`;
}

/** The visible part: picture, video or placeholder. */
function Stage({ media, pageTitle, eager, veiled }: MediaFigureProps): JSX.Element {
  if (media.processing_error !== null) {
    return (
      <div class="stage stage-empty" data-live={`stage-${media.slug}`}>
        <p>This file could not be processed: {media.processing_error}</p>
      </div>
    );
  }
  // Until the variants exist, the original is shown if browsers support its format.
  if (!media.processed && (isVideo(media) || !isShownEverywhere(media))) return <Waiting media={media} />;
  if (isVideo(media)) return <Player media={media} />;
  return (
    <div class={isLong(media) ? 'stage long' : 'stage'} data-live={`stage-${media.slug}`}>
      <a
        href={media.urls.original}
        class={`frame ${fitClass(media)}`}
        data-zoom={media.processed && !media.animated ? media.urls.xl : media.urls.original}
      >
        <Shape media={media} />
        <Picture
          media={media}
          sizes={SIZES}
          eager={eager && !veiled}
          moving
          original
          alt={media.alt_text ?? media.title ?? pageTitle ?? ''}
        />
        <span class="visually-hidden"> (full size)</span>
      </a>
      {media.animated && (
        <button type="button" class="motion-button" data-motion-button hidden>
          Pause
        </button>
      )}
      {isLong(media) && (
        <label class="long-choice">
          <input type="checkbox" class="visually-hidden" />
          <span class="button">Show all</span>
          <span class="button">Show less</span>
        </label>
      )}
    </div>
  );
}

function Player({ media }: { readonly media: Media }): JSX.Element {
  return (
    <div class="stage" data-live={`stage-${media.slug}`}>
      <div class={`frame ${fitClass(media)}`}>
        <Shape media={media} />
        <VideoPlayer media={media}>
          <p>
            Your browser can’t play this video. <a href={media.urls.original}>Download it</a> instead.
          </p>
        </VideoPlayer>
      </div>
    </div>
  );
}

/**
 * Shown until a media item is processed. Scripts look again (browser/post/updates.ts), and play the original of a video
 * (browser/post/player.ts).
 */
function Waiting({ media }: { readonly media: Media }): JSX.Element {
  const { slug, urls, type, processing_progress: percent } = media;
  const original = isVideo(media) ? { 'data-original': urls.original, 'data-type': type } : {};
  return (
    <div class="stage" data-live={`stage-${slug}`} data-due {...original}>
      <div class={`frame waiting ${fitClass(media)}`}>
        <Shape media={media} />
        <div class="waiting-words">
          <p data-live={`progress-${slug}`} data-due>
            {`This ${kindOf(media).toLowerCase()} is being processed${percent === null ? '' : `: ${percent} %`}.`}
          </p>
          <p>
            <a href={urls.original} class="button">
              Open the original
            </a>
          </p>
        </div>
      </div>
    </div>
  );
}

/** A cover over adult content with its aspect ratio and its blurred colours; a click or a key opens it. */
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
              <span class="button">Show it (I am 18 or older)</span>
            </span>
          </span>
        </span>
        <span class="veil-close button quiet-button">Hide</span>
      </summary>
      {children}
    </details>
  );
}

/** Reserves the exact space of a media item before it has loaded, whatever the rounded sizes of its variants. */
function Shape({ media: { width, height } }: { readonly media: Media }): JSX.Element {
  return (
    <svg class="shape" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" />
  );
}

const FIT_STEPS = 10;
const MAX_FIT = 20;

const tenthsOf = ({ width, height }: Pick<Media, 'width' | 'height'>): number =>
  Math.ceil((FIT_STEPS * height) / Math.max(1, width));

/** Whether a picture may be higher than two windows; then styles/post/stage.css folds it. */
const isLong = (media: Media): boolean => tenthsOf(media) > MAX_FIT;

/**
 * The class (styles/post/stage.css) that keeps a picture within the window's height, by its height in tenths of its
 * width. Pictures that are more than twice as high as wide are not limited; they are folded instead.
 */
function fitClass(media: Pick<Media, 'width' | 'height'>): string {
  const tenths = tenthsOf(media);
  if (tenths > MAX_FIT) return 'fit-none';
  return `fit-${Math.max(4, tenths)}`;
}
