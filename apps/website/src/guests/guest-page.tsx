import type { AnswerOf, ListedPost, Media } from '@vitrine/client';
import type { JSX } from 'preact';
import { DeleteMediaChoice } from '../components/delete-media-choice';
import { RelativeTime } from '../components/relative-time';
import { CopyField } from '../components/copy-field';
import { pluralize } from '../components/words';
import { Icon } from '../components/icon';
import { Pager } from '../components/pager';
import { Picture } from '../components/picture';
import { PostForm } from '../components/post-form';
import { VISIBILITIES } from '../components/visibilities';
import { postPath, guestPath } from '../links/paths';
import { Page } from '../results/page';
import { useVisit } from '../components/visit-context';

interface GuestPageProps {
  readonly token: string;
  readonly posts: AnswerOf<'listGuestPosts'>;
  readonly media: AnswerOf<'listGuestMedia'>;
  /** The post that was just created; null on other visits. */
  readonly made: ListedPost | null;
  readonly path: string;
}

export const guestPage = (props: GuestPageProps): Page =>
  new Page({
    title: 'Your uploads',
    head: { robots: 'noindex' },
    styles: ['grid.css', 'editing.css', 'upload.css'],
    scripts: ['post.js'],
    width: 'wide',
    secret: true,
    body: <GuestPage {...props} />,
  });

/** The page for unknown and expired private links. */
export const expiredPage = (): Page =>
  new Page({
    title: 'This link doesn’t work',
    head: { robots: 'noindex' },
    status: 404,
    secret: true,
    body: (
      <>
        <h1>This link doesn’t work</h1>
        <p class="lead">It may be mistyped, or everything under it was deleted.</p>
        <p>
          <a class="button" href="/upload">
            Upload something
          </a>
        </p>
      </>
    ),
  });

function GuestPage({ token, posts, media, made, path }: GuestPageProps): JSX.Element {
  const { urls } = useVisit();
  const isEmpty = posts.meta.total === 0 && media.meta.total === 0;
  const further = posts.meta.last_page > media.meta.last_page ? posts : media;
  return (
    <div class="guest">
      {made ? <Posted post={made} /> : <h1>Your uploads</h1>}
      <section class="card stack guest-link" aria-labelledby="guest-link-heading">
        <h2 id="guest-link-heading">Your private link</h2>
        <p>
          Save this link. It is the only way to manage what you uploaded without an account, and anyone who
          has it can delete everything.
        </p>
        <CopyField label="Private link" id="guest-link" value={urls.site + guestPath(token)} />
      </section>
      {isEmpty && <p class="empty">There are no uploads here.</p>}
      {posts.data.length > 0 && (
        <section aria-labelledby="guest-posts">
          <h2 id="guest-posts">Posts</h2>
          <ul class="guest-list plain-list">
            {posts.data.map((post) => (
              <PostRow key={post.id} post={post} token={token} />
            ))}
          </ul>
        </section>
      )}
      {media.data.length > 0 && (
        <section aria-labelledby="guest-media">
          <h2 id="guest-media">Files</h2>
          <ul class="guest-list plain-list">
            {media.data.map((file) => (
              <MediaRow key={file.id} media={file} token={token} />
            ))}
          </ul>
        </section>
      )}
      <Pager meta={further.meta} links={further.links} path={path} />
      {!isEmpty && (
        <section class="guest-end" aria-labelledby="guest-end">
          <h2 id="guest-end">Delete everything</h2>
          <p class="quiet">
            This permanently deletes all your posts and files. This link then stops working.
          </p>
          <PostForm
            action={`${guestPath(token)}/delete`}
            data-confirm="Delete all your posts and files? This can’t be undone."
          >
            <button class="button danger">
              <Icon name="trash" />
              Delete everything
            </button>
          </PostForm>
        </section>
      )}
    </div>
  );
}

function Posted({ post }: { readonly post: ListedPost }): JSX.Element {
  const { urls } = useVisit();
  const path = pathOf(post);
  return (
    <>
      <h1>Your post is online</h1>
      <p class="lead" data-live="posted" data-due={isPending(post) || undefined}>
        {post.visibility === 'hidden' || post.visibility === 'private'
          ? VISIBILITIES[post.visibility].meaning
          : `Anyone with the link can see it now.${POSTED[post.moderation_status] ?? ''}`}
      </p>
      <div class="stack guest-posted">
        <CopyField label="Link to share" id="shared-link" value={urls.site + path} />
        <p>
          <a class="button primary" href={path}>
            View your post
          </a>
        </p>
      </div>
    </>
  );
}

const isPending = ({ moderation_status: status }: Pick<ListedPost, 'moderation_status'>): boolean =>
  status === 'pending';

/** What the feeds do with a public post. */
const POSTED: Partial<Record<ListedPost['moderation_status'], string>> = {
  pending: ' It appears in the feeds after it has been checked.',
  approved: ' It is in the feeds.',
  nsfw: ' The feeds show it only to people who chose to see adult content.',
};

const pathOf = ({ slug, visibility, access_key }: ListedPost): string =>
  postPath(slug, { key: visibility === 'private' ? (access_key ?? undefined) : undefined });

function PostRow({ post, token }: { readonly post: ListedPost; readonly token: string }): JSX.Element {
  const title = post.title ?? 'Untitled';
  return (
    <li class="guest-row">
      <Thumb media={post.first_media} />
      <div class="guest-facts">
        <a href={pathOf(post)} dir="auto">
          {title}
        </a>
        <p class="small quiet" data-live={`post-${post.slug}`} data-due={isPending(post) || undefined}>
          {pluralize(post.media_count, 'file')}, <RelativeTime at={post.created_at} />
          {post.visibility !== undefined && `, ${VISIBILITIES[post.visibility].name.toLowerCase()}`},{' '}
          {STATUS[post.moderation_status]}
        </p>
      </div>
      <details class="confirm">
        <summary>
          Delete<span class="visually-hidden"> {title}</span> …
        </summary>
        <PostForm action={`${guestPath(token)}/posts/delete`} class="stack">
          <input type="hidden" name="slug" value={post.slug} />
          <p>This permanently deletes the post.</p>
          <DeleteMediaChoice count={post.media_count} />
          <button class="button danger">Delete post</button>
        </PostForm>
      </details>
    </li>
  );
}

function MediaRow({ media, token }: { readonly media: Media; readonly token: string }): JSX.Element {
  const name = media.title ?? `${media.slug}.${media.ext}`;
  const isShown = media.moderation_status !== 'rejected';
  return (
    <li class="guest-row">
      <Thumb media={isShown ? media : null} />
      <div class="guest-facts">
        {isShown ? (
          <a href={`/m/${media.slug}`} dir="auto">
            {name}
          </a>
        ) : (
          <span dir="auto">{name}</span>
        )}
        <p class="small quiet" data-live={`media-${media.slug}`} data-due={isPending(media) || undefined}>
          <RelativeTime at={media.created_at} />, {media.processing_error ?? STATUS[media.moderation_status]}
        </p>
      </div>
      <Deletion action={`${guestPath(token)}/media/delete`} slug={media.slug} name={name} />
    </li>
  );
}

function Thumb({ media }: { readonly media: Media | null }): JSX.Element {
  return (
    <div class="guest-thumb" aria-hidden="true">
      {media === null ? <Icon name="images" size={28} /> : <Picture media={media} sizes="72px" alt="" />}
    </div>
  );
}

interface DeletionProps {
  readonly action: string;
  readonly slug: string;
  readonly name: string;
}

function Deletion({ action, slug, name }: DeletionProps): JSX.Element {
  return (
    <PostForm action={action} data-confirm={`Delete “${name}”? This can’t be undone.`}>
      <input type="hidden" name="slug" value={slug} />
      <button class="button">
        <Icon name="trash" />
        <span>
          Delete<span class="visually-hidden"> {name}</span>
        </span>
      </button>
    </PostForm>
  );
}

const STATUS: Readonly<Record<Media['moderation_status'], string>> = {
  approved: 'checked',
  pending: 'being checked',
  nsfw: 'adult content',
  rejected: 'rejected by moderation',
};
