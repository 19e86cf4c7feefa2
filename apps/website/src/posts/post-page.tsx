import type { Media, Post } from '@vitrine/client';
import type { JSX } from 'preact';
import { escapeMarkup } from '../rendering/escape-markup';
import { type Collection, SaveButtons } from '../collections/save-buttons';
import { CommentsSection } from '../comments/comments-section';
import type { LoadedComments } from '../comments/load-comments';
import { pluralize } from '../components/words';
import { FollowButton } from '../components/follow-button';
import { Icon } from '../components/icon';
import { ReportForm } from '../components/report-form';
import { RichText } from '../components/rich-text';
import { VoteButtons } from '../components/vote-buttons';
import { Byline } from '../media/byline';
import { MediaFigure } from '../media/media-figure';
import { TagLinks } from '../media/tag-links';
import { OwnerPanel } from '../post-editing/owner-panel';
import { useVisit } from '../components/visit-context';
import { UNTITLED } from '../media/media-metadata';
import { postPath } from '../links/paths';
import { archivedMedia } from './post-archives';
import type { Surroundings } from './post-surroundings';
import { PostNeighbours, RelatedPosts } from './post-surroundings-parts';
import { PostShare } from './post-share';
import { isDue, PostStatus } from './post-status';

/** Whether a media item is covered until the viewer clicks. It isn't covered for its owner. */
export function isVeiled(post: Post, media: Media, showsNsfw: boolean): boolean {
  const isAdult = post.moderation_status === 'nsfw' || media.moderation_status === 'nsfw';
  return isAdult && !showsNsfw && post.visibility === undefined;
}

/**
 * Score, views and tags for programs that read the page by string search, from the top down to the first media item
 * (gallery-dl, extractor `imgpile`). They depend on each character, the spaces and the comments included. Visitors see
 * the same facts below the pictures.
 */
export function PostMarks({ post }: { readonly post: Post }): JSX.Element {
  const tags = post.tags.map((tag) => `<span>${escapeMarkup(tag)}</span>`).join('');
  const marks = [
    `<span class="post-score">${post.score}</span>`,
    `<span class="meta-value">${post.view_count}</span>`,
    `<!-- Tags -->${tags}<!-- "Media" -->`,
  ];
  return <div hidden dangerouslySetInnerHTML={{ __html: marks.join(' ') }} />;
}

export interface PostPageProps {
  readonly post: Post;
  /** The key that opened a private post; forms and links of the page send it along. */
  readonly accessKey: string | undefined;
  readonly comments: LoadedComments;
  /** Whether the viewer follows the author. */
  readonly following: boolean;
  /** The viewer's collections, with whether they hold the post; null if nobody is logged in. */
  readonly collections: readonly Collection[] | null;
  /** Null if the post is in no feed and was not opened from a collection. */
  readonly surroundings: Surroundings | null;
}

/** The page of a post: its media, its author and its comments. */
export function PostPage(props: PostPageProps): JSX.Element {
  const { post, accessKey, comments, surroundings } = props;
  const { visit, urls } = useVisit();
  const page =
    post.visibility === 'private' || accessKey !== undefined ? null : urls.site + postPath(post.slug);
  return (
    <article class="post" data-post-id={post.id} data-author={`/u/${post.user?.username ?? ''}`}>
      <header class="post-head">
        <h1 dir="auto" data-live="title">
          {post.title ?? UNTITLED}
        </h1>
        <Byline author={post.user} at={post.created_at}>
          {post.user && <FollowButton whom={post.user} following={props.following} />}
        </Byline>
        <div data-live="status" data-due={isDue(post) || undefined}>
          <PostStatus post={post} />
          {post.media.some((media) => isVeiled(post, media, visit.showsNsfw)) && (
            <p class="quiet small adult-choice">
              This post contains adult content.{' '}
              <a href={`/preferences?${new URLSearchParams({ next: visit.path }).toString()}`}>
                Always show adult content
              </a>
            </p>
          )}
        </div>
      </header>
      <PostMarks post={post} />
      <div class="post-pictures" data-live="media">
        {post.media.map((media, index) => (
          <MediaFigure
            media={media}
            position={index + 1}
            count={post.media.length}
            pageTitle={post.title}
            page={page}
            eager={index === 0}
            veiled={isVeiled(post, media, visit.showsNsfw)}
            withCodes={post.media_count > 1}
          />
        ))}
        {post.media.length === 0 && <p class="empty">This post is empty.</p>}
      </div>
      <div class="post-side">
        <div class="post-about">
          <div class="post-actions">
            <VoteButtons
              action={`/p/${post.slug}/vote`}
              score={post.score}
              up={post.isUpvotedByUser}
              down={post.isDownvotedByUser}
              label="this post"
              of="post"
              accessKey={accessKey}
            />
            <div data-live="share">
              <PostShare post={post} accessKey={accessKey} page={page} />
            </div>
            {archivedMedia(post).length > 1 && (
              <a
                class="button"
                href={postPath(post.slug, { key: accessKey }, '/files.zip')}
                rel="nofollow"
                download
              >
                <Icon name="download" />
                <span>
                  Download all<span class="visually-hidden"> as a ZIP archive</span>
                </span>
              </a>
            )}
            <SaveButtons slug={post.slug} collections={props.collections} />
            {post.visibility === undefined && (
              <ReportForm type="post" target={post.slug} accessKey={accessKey} />
            )}
          </div>
          <div data-live="description">
            {post.description !== null && <RichText text={post.description} />}
          </div>
          <div data-live="tags">
            <TagLinks tags={post.tags} />
          </div>
          <dl class="post-facts">
            <div>
              <dt>
                <Icon name="eye" />
                <span class="visually-hidden">Views</span>
              </dt>
              <dd>{pluralize(post.view_count, 'view')}</dd>
            </div>
            <div>
              <dt>
                <Icon name="comment" />
                <span class="visually-hidden">Comments</span>
              </dt>
              <dd>
                <a href="#comments">{pluralize(post.comment_count, 'comment')}</a>
              </dd>
            </div>
            {post.media_count > 1 && (
              <div>
                <dt>
                  <Icon name="images" />
                  <span class="visually-hidden">Pictures and videos</span>
                </dt>
                <dd>{pluralize(post.media_count, 'file')}</dd>
              </div>
            )}
          </dl>
          {surroundings && <PostNeighbours {...surroundings} />}
          <OwnerPanel post={post} />
        </div>
      </div>
      <div class="post-talk">
        <CommentsSection post={post} comments={comments} keyParam={accessKey} />
      </div>
      {surroundings && <RelatedPosts post={post} surroundings={surroundings} />}
    </article>
  );
}
