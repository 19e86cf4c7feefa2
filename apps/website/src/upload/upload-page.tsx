import type { Post } from '@vitrine/client';
import { MAX_POST_MEDIA, MAX_LENGTHS } from '@vitrine/contracts';
import type { JSX } from 'preact';
import { pluralize, sizeInWords } from '../components/words';
import { Field } from '../components/field';
import { Icon } from '../components/icon';
import { VISIBILITIES } from '../components/visibilities';
import { PostForm } from '../components/post-form';
import { GuestUploadsNote } from '../guests/guest-uploads-note';
import { Page } from '../results/page';
import { useVisit } from '../components/visit-context';
import { StorageNote, type StorageUse } from '../components/storage-use';

interface UploadPageProps {
  /** Username of the uploader; empty for a guest. */
  readonly as: string;
  /** The post to which files are added; null for a new post. */
  readonly target: Post | null;
  /** Whether this browser has a guest's uploads. */
  readonly hasGuestUploads: boolean;
  /** Whether the site fetches files from addresses. */
  readonly byUrl: boolean;
  /** Whether files from the phone's share sheet could not be received. */
  readonly hasLostShared: boolean;
  /** Path of the service worker that receives such files. */
  readonly shareWorker: string;
  /** Maximum size of a file in bytes. */
  readonly maxFileBytes: number;
  /** What the uploader stores and may store; null for a guest, for whom the ticket tells it. */
  readonly storage: StorageUse | null;
}

export const uploadPage = (props: UploadPageProps): Page =>
  new Page({
    title: props.target ? 'Add to a post' : 'Upload',
    head: { description: 'Upload pictures and videos, and share them by a link.', canonical: '/upload' },
    styles: ['upload.css', 'cropping.css'],
    scripts: ['upload.js'],
    width: 'wide',
    body: <UploadPage {...props} />,
  });

/** File types that file pickers would hide if only `image/*` and `video/*` were accepted. */
const ACCEPT = 'image/*,video/*,.heic,.heif,.avif,.jxl,.mkv,.flv,.wmv,.ts,.m2ts';

function UploadPage(props: UploadPageProps): JSX.Element {
  const { as, target, hasGuestUploads, byUrl, hasLostShared, shareWorker, maxFileBytes, storage } = props;
  const { urls } = useVisit();
  return (
    <div
      class="upload"
      id="upload"
      data-upload-url={urls.upload}
      data-as={as}
      data-share-worker={shareWorker}
      data-post={target?.slug ?? ''}
      data-max-file-bytes={maxFileBytes}
      data-max-file-size={sizeInWords(maxFileBytes)}
      data-room={target ? MAX_POST_MEDIA - target.media_count : MAX_POST_MEDIA}
    >
      <h1>{target ? 'Add to your post' : 'Upload'}</h1>
      {target && (
        <p class="lead">
          <a href={`/p/${target.slug}`} dir="auto">
            {target.title ?? 'Untitled'}
          </a>
          , with {pluralize(target.media_count, 'file')} so far
        </p>
      )}
      {hasLostShared && (
        <p class="callout danger" role="alert">
          The shared files could not be received. Choose them here instead.
        </p>
      )}
      <div class="callout row" id="upload-shared" role="status" hidden>
        <p />
        <button type="button" class="button primary" value="take">
          Upload
        </button>
        <button type="button" class="button" value="discard">
          Discard
        </button>
      </div>
      {storage && <StorageNote use={storage} />}
      <NoScriptNote />
      <UploaderNote as={as} hasGuestUploads={hasGuestUploads} />
      <DropZone maxFileBytes={maxFileBytes} />
      {byUrl && <AddressForm />}
      <div class="upload-workspace" id="upload-workspace" hidden>
        <section class="upload-files" aria-labelledby="upload-files-heading">
          <div class="upload-heading">
            <h2 id="upload-files-heading">Files</h2>
            <p class="small quiet" id="upload-count" />
            <div class="row">
              <button type="button" class="button" id="upload-pause">
                Pause
              </button>
              {!target && (
                <a class="button upload-jump" href="#post-form">
                  Title and tags
                  <Icon name="down" />
                </a>
              )}
              <button type="button" class="button" id="upload-add">
                Add files
              </button>
              <button type="button" class="button" id="upload-retry-all" hidden>
                Try all again
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
                Continue now
              </button>
            </div>
          </div>
          <p class="small quiet" id="upload-order-hint">
            To change the order, drag the dots, or focus them and use the arrow keys.
          </p>
          <ol class="upload-list plain-list" id="upload-list" aria-label="Files, in the order of the post" />
        </section>
        <PostDetails as={as} target={target} />
        <PostBar target={target} />
      </div>
      <p class="visually-hidden" id="upload-says" role="status" aria-live="polite" />
      <RowTemplate />
      <PostForm action="/upload/ticket" id="ticket-form" hidden>
        <input type="hidden" name="as" value={as} />
        <input type="hidden" name="proof_of_work" value="" />
      </PostForm>
      <PostForm action="/upload/describe" id="describe-form" hidden>
        <input type="hidden" name="as" value={as} />
        <input type="hidden" name="slug" value="" />
        <input type="hidden" name="description" value="" />
        <input type="hidden" name="alt_text" value="" />
      </PostForm>
      <PostForm action="/upload/discard" id="discard-form" hidden>
        <input type="hidden" name="as" value={as} />
        <input type="hidden" name="slug" value="" />
      </PostForm>
    </div>
  );
}

function NoScriptNote(): JSX.Element {
  return (
    <noscript>
      <div class="callout">
        <p>
          Uploading from this page needs JavaScript, which is turned off in your browser. You can also upload
          with a program:
        </p>
        <ul>
          <li>
            Create an <a href="/settings/tokens">API token</a>: it comes with a settings file for ShareX and a
            command for curl.
          </li>
          <li>
            The <a href="/developers">developer documentation</a> explains how programs upload.
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
        Up to {sizeInWords(maxFileBytes)} each. Information about where and by whom a picture was taken is
        removed from the file.
      </p>
    </div>
  );
}

/** A script shows it and sends it. */
const AddressForm = (): JSX.Element => (
  <form id="address-form" class="address-form" hidden>
    <label for="address">Address of a picture or video</label>
    <div class="row">
      <input id="address" type="url" name="url" required maxLength={2000} placeholder="https://" />
      <button class="button">Fetch</button>
    </div>
  </form>
);

function UploaderNote({ as, hasGuestUploads }: Pick<UploadPageProps, 'as' | 'hasGuestUploads'>): JSX.Element {
  if (as !== '') return <GuestUploadsNote />;
  return (
    <p class="small quiet">
      You are uploading as a guest. Afterwards you get a private link with which you can see and delete your
      uploads.{' '}
      {hasGuestUploads && (
        <>
          <a href="/guest">See your uploads</a>.{' '}
        </>
      )}
      Or <a href="/login?next=%2Fupload">log in</a> first, or <a href="/register?next=%2Fupload">sign up</a>.
    </p>
  );
}

function PostDetails({ as, target }: Pick<UploadPageProps, 'as' | 'target'>): JSX.Element {
  return (
    <section class="upload-post" aria-labelledby="upload-post-heading">
      <PostForm action="/upload" id="post-form" class="card stack" data-enhance="post-files">
        <h2 id="upload-post-heading">{target ? 'Add to your post' : 'Your post'}</h2>
        <input type="hidden" name="as" value={as} />
        <input type="hidden" name="post" value={target?.slug ?? ''} />
        {!target && <PostFields />}
        <p class="small" id="upload-too-many" hidden />
      </PostForm>
    </section>
  );
}

/** Stays in sight at the bottom of the window while there are files. */
function PostBar({ target }: Pick<UploadPageProps, 'target'>): JSX.Element {
  return (
    <div class="upload-bar">
      <div>
        <p id="upload-ready" />
        <p class="small" id="upload-waits" role="status" />
        <p class="small" id="upload-problem-files-notice" role="status" aria-live="polite" hidden />
      </div>
      <div class="row">
        <button type="button" class="button" id="post-without" hidden>
          Don’t wait
        </button>
        <button form="post-form" class="button primary" id="post-button">
          {target ? 'Add to the post' : 'Post'}
        </button>
        <button
          type="button"
          class="button primary"
          id="post-problem-files-notice"
          aria-describedby="upload-problem-files-notice"
          hidden
        />
      </div>
    </div>
  );
}

function PostFields(): JSX.Element {
  return (
    <>
      <Field label="Title" name="title">
        {(control) => (
          <input {...control} type="text" dir="auto" maxLength={MAX_LENGTHS.title} autocomplete="off" />
        )}
      </Field>
      <Field label="Description" name="description">
        {(control) => <textarea {...control} dir="auto" rows={4} maxLength={MAX_LENGTHS.description} />}
      </Field>
      <Field label="Tags" name="tags" hint="Separate tags with commas: harbour, long exposure">
        {(control) => <input {...control} type="text" autocomplete="off" autocapitalize="none" />}
      </Field>
      <fieldset class="upload-visibility">
        <legend>Who can see it</legend>
        {Object.entries(VISIBILITIES).map(([visibility, { name, meaning }]) => (
          <VisibilityChoice
            value={visibility}
            label={name}
            hint={meaning}
            isChecked={visibility === 'public'}
          />
        ))}
      </fieldset>
      <label class="check">
        <input type="checkbox" name="nsfw" value="1" />
        <span>Adult content (nudity, violence)</span>
      </label>
    </>
  );
}

interface VisibilityChoiceProps {
  readonly value: string;
  readonly label: string;
  readonly hint: string;
  readonly isChecked: boolean;
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

/** The template of a file's row; the script fills it in. */
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
          <canvas class="transparent" width="144" height="144" hidden />
        </div>
        <div class="upload-facts">
          <p class="upload-name" dir="auto" />
          <progress max="1" value="0" />
          <p class="upload-state small" />
          <div class="row upload-actions">
            <button type="button" class="button upload-edit" hidden>
              <Icon name="edit" />
              Edit
            </button>
            <button type="button" class="button upload-original" hidden>
              Undo edits
            </button>
            <button type="button" class="button upload-retry" hidden>
              Try again
            </button>
            <button type="button" class="button upload-copy">
              <Icon name="copy" />
              Copy link
            </button>
          </div>
          <details class="upload-describe">
            <summary>Describe</summary>
            <label class="field">
              Caption
              <textarea name="description" dir="auto" rows={2} maxLength={MAX_LENGTHS.description} />
            </label>
            <label class="field">
              Alternative text, for people who can’t see it
              <textarea name="alt_text" dir="auto" rows={2} maxLength={MAX_LENGTHS.altText} />
            </label>
          </details>
        </div>
        <button type="button" class="icon-button upload-remove">
          <Icon name="close" />
        </button>
      </li>
    </template>
  );
}
