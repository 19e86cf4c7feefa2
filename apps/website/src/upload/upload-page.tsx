import type { Post } from '@vitrine/client';
import type { JSX } from 'preact';
import { counted } from '../components/counted';
import { Field } from '../components/field';
import { Icon } from '../components/icon';
import { PostForm } from '../components/post-form';
import { GuestUploadsNote } from '../guests/guest-uploads-note';
import { Page } from '../rendering/page';
import { useVisit } from '../rendering/visit-context';
import { sizeInWords } from './size-in-words';

interface UploadPageProps {
  /** Username of whoever uploads; empty for a guest. */
  readonly as: string;
  /** A post that the files join; else they make a new one. */
  readonly target: Post | null;
  /** Whether something was uploaded here without an account. */
  readonly hasGuestUploads: boolean;
  /** Bytes of the largest file that the upload host takes. */
  readonly maxFileBytes: number;
}

export const uploadPage = (props: UploadPageProps): Page =>
  new Page({
    title: props.target ? 'Add to a post' : 'Upload',
    head: { description: 'Upload pictures and videos, and share them by a link.', canonical: '/upload' },
    styles: ['upload.css'],
    scripts: ['upload.js'],
    width: 'wide',
    body: <UploadPage {...props} />,
  });

/** Files that phones' and cameras' pickers would hide behind `image/*` and `video/*` alone. */
const ACCEPT = 'image/*,video/*,.heic,.heif,.avif,.jxl,.mkv,.flv,.wmv,.ts,.m2ts';

function UploadPage({ as, target, hasGuestUploads, maxFileBytes }: UploadPageProps): JSX.Element {
  const { urls } = useVisit();
  return (
    <div
      class="upload"
      id="upload"
      data-upload-url={urls.upload}
      data-as={as}
      data-post={target?.slug ?? ''}
      data-max-file-bytes={maxFileBytes}
      data-max-file-size={sizeInWords(maxFileBytes)}
      data-room={target ? MAX_POST_MEDIA - target.media_count : MAX_POST_MEDIA}
    >
      <h1>{target ? 'Add to your post' : 'Upload'}</h1>
      {target && (
        <p class="lead">
          <a href={`/p/${target.slug}`}>{target.title ?? 'Untitled'}</a>, with{' '}
          {counted(target.media_count, 'file')} so far
        </p>
      )}
      <WithoutScripts />
      <DropZone maxFileBytes={maxFileBytes} />
      <WhoUploads as={as} hasGuestUploads={hasGuestUploads} />
      <div class="upload-bench" id="upload-bench" hidden>
        <section class="upload-files" aria-labelledby="upload-files-heading">
          <div class="upload-heading">
            <h2 id="upload-files-heading">Files</h2>
            <p class="small quiet" id="upload-count" />
            <div class="row">
              <a class="button upload-jump" href="#post-form">
                {target ? 'To the end' : 'Title and tags'}
                <Icon name="down" />
              </a>
              <button type="button" class="button" id="upload-retry-all" hidden>
                Try all again
              </button>
              <button type="button" class="button" id="upload-pause">
                Pause
              </button>
            </div>
          </div>
          <progress id="upload-progress" max="1" value="0" aria-label="All files" />
          <div class="callout" id="upload-hold" hidden>
            <p id="upload-hold-text" />
            <div class="row">
              <a class="button" id="upload-log-in" href="/login" target="_blank" rel="noopener" hidden>
                Log in (new tab)
              </a>
              <button type="button" class="button" id="upload-go-on">
                Go on now
              </button>
            </div>
          </div>
          <p class="small quiet" id="upload-order-hint">
            Drag by the dots to put files in order, or move to the dots and use the arrow keys.
          </p>
          <ol class="upload-list plain-list" id="upload-list" aria-label="Files, in the order of the post" />
        </section>
        <PostDetails as={as} target={target} />
      </div>
      <p class="visually-hidden" id="upload-says" role="status" aria-live="polite" />
      <RowTemplate />
      <PostForm action="/upload/ticket" id="ticket-form" hidden>
        <input type="hidden" name="as" value={as} />
      </PostForm>
      <PostForm action="/upload/discard" id="discard-form" hidden>
        <input type="hidden" name="as" value={as} />
        <input type="hidden" name="slug" value="" />
      </PostForm>
    </div>
  );
}

/** A post holds at most this many media (decisions of the interface, "Post"). */
const MAX_POST_MEDIA = 50;

function WithoutScripts(): JSX.Element {
  return (
    <noscript>
      <div class="callout">
        <p>
          Uploading from this page takes JavaScript, which your browser doesn’t run here. You can also upload
          with a program:
        </p>
        <ul>
          <li>
            Make an <a href="/settings/tokens">API token</a>: you get a settings file for ShareX with it, and
            a line for curl.
          </li>
          <li>
            How programs upload is described for <a href="/developers">developers</a>.
          </li>
        </ul>
      </div>
    </noscript>
  );
}

function DropZone({ maxFileBytes }: Pick<UploadPageProps, 'maxFileBytes'>): JSX.Element {
  return (
    <div class="drop-zone needs-scripts">
      <input
        class="visually-hidden"
        type="file"
        id="upload-input"
        multiple
        accept={ACCEPT}
        aria-describedby="upload-limits"
      />
      <label for="upload-input" class="drop-zone-label">
        <span class="drop-zone-icon">
          <Icon name="images" size={40} />
        </span>
        <span class="button primary">Choose pictures and videos</span>
      </label>
      <p class="drop-zone-ways quiet">or drop them anywhere on this page, or paste them</p>
      <p class="hint" id="upload-limits">
        Up to {sizeInWords(maxFileBytes)} each. Where a picture was taken, and by whom, is removed from the
        file.
      </p>
    </div>
  );
}

function WhoUploads({ as, hasGuestUploads }: Pick<UploadPageProps, 'as' | 'hasGuestUploads'>): JSX.Element {
  if (as !== '') return <GuestUploadsNote />;
  return (
    <p class="small quiet">
      You upload as a guest. Afterwards you get a private link by which you can delete things again.{' '}
      {hasGuestUploads && (
        <>
          <a href="/guest">What you have uploaded so far</a>.{' '}
        </>
      )}
      Or <a href="/login?next=%2Fupload">log in</a> first, or{' '}
      <a href="/register?next=%2Fupload">open an account</a>.
    </p>
  );
}

function PostDetails({ as, target }: Pick<UploadPageProps, 'as' | 'target'>): JSX.Element {
  return (
    <section class="upload-post" aria-labelledby="upload-post-heading">
      <PostForm action="/upload" id="post-form" class="card stack" data-enhance="post-files">
        <h2 id="upload-post-heading">{target ? 'Add them' : 'Your post'}</h2>
        <input type="hidden" name="as" value={as} />
        <input type="hidden" name="post" value={target?.slug ?? ''} />
        {!target && <PostFields />}
        <p class="small" id="upload-too-many" hidden />
        <p class="callout" id="upload-waits" hidden />
        <div class="callout danger" id="upload-left-out" role="status" aria-live="polite" hidden />
        <div class="row">
          <button class="button primary" id="post-button">
            {target ? 'Add to the post' : 'Post'}
          </button>
          <button type="button" class="button" id="post-without" hidden>
            Don’t wait for the others
          </button>
          <button type="button" class="button" id="post-left-out" aria-describedby="upload-left-out" hidden />
        </div>
      </PostForm>
    </section>
  );
}

function PostFields(): JSX.Element {
  return (
    <>
      <Field label="Title" name="title">
        {(control) => <input {...control} type="text" maxLength={255} autocomplete="off" />}
      </Field>
      <Field label="Description" name="description">
        {(control) => <textarea {...control} rows={4} maxLength={5000} />}
      </Field>
      <Field label="Tags" name="tags" hint="Between commas: harbour, long exposure">
        {(control) => <input {...control} type="text" autocomplete="off" autocapitalize="none" />}
      </Field>
      <fieldset class="upload-visibility">
        <legend>Who can see it</legend>
        <VisibilityChoice value="public" label="Everyone" hint="It shows in the feeds." isChecked />
        <VisibilityChoice value="hidden" label="Whoever has the link" hint="It shows in no feed." />
        <VisibilityChoice
          value="private"
          label="Whoever has the secret link"
          hint="The link carries a key; without the key there is nothing to see."
        />
      </fieldset>
      <label class="check">
        <input type="checkbox" name="nsfw" value="1" />
        <span>For adults only (nudity, violence)</span>
      </label>
    </>
  );
}

interface VisibilityChoiceProps {
  readonly value: 'public' | 'hidden' | 'private';
  readonly label: string;
  readonly hint: string;
  readonly isChecked?: true;
}

function VisibilityChoice({ value, label, hint, isChecked }: VisibilityChoiceProps): JSX.Element {
  const id = `visibility-${value}`;
  return (
    <div class="choice">
      <input
        type="radio"
        name="visibility"
        value={value}
        id={id}
        checked={isChecked}
        aria-describedby={`${id}-hint`}
      />
      <label for={id}>{label}</label>
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}

/** One file; the script fills it in. */
function RowTemplate(): JSX.Element {
  return (
    <template id="upload-row">
      <li class="upload-row">
        <button type="button" class="icon-button upload-handle" aria-describedby="upload-order-hint">
          <Icon name="drag" />
        </button>
        <div class="upload-tile">
          <Icon name="images" size={28} />
          <Icon name="play" size={28} />
          <canvas width="144" height="144" hidden />
        </div>
        <div class="upload-facts">
          <p class="upload-name" dir="auto" />
          <progress max="1" value="0" />
          <p class="upload-state small" />
          <button type="button" class="button upload-retry" hidden>
            Try again
          </button>
        </div>
        <button type="button" class="icon-button upload-remove">
          <Icon name="close" />
        </button>
      </li>
    </template>
  );
}
