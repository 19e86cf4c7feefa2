import type { Post } from '@vitrine/client';
import type { JSX } from 'preact';
import { ReportForm } from '../components/report-form';
import { RichText } from '../components/rich-text';
import { VoteButtons } from '../components/vote-buttons';

interface PostPageProps {
  readonly post: Post;
  readonly accessKey: string | undefined;
}

export function PostPage({ post, accessKey }: PostPageProps): JSX.Element {
  return (
    <article data-post-id={post.id}>
      <h1>{post.title ?? 'Untitled'}</h1>
      {post.user && <a href={`/u/${post.user.username}`}>{post.user.username}</a>}
      {post.media.map((media) => (
        <div class="post-media" data-id={media.slug} data-media-id={media.id}>
          <a href={media.urls.original}>
            <img
              src={media.type.startsWith('video/') ? media.urls.thumb : media.urls.lg}
              alt={media.alt_text ?? ''}
              width={media.width}
              height={media.height}
            />
          </a>
        </div>
      ))}
      {post.description !== null && <RichText text={post.description} />}
      <VoteButtons
        action={`/p/${post.slug}/vote`}
        score={post.score}
        up={post.isUpvotedByUser}
        down={post.isDownvotedByUser}
        label="this post"
        of="post"
        accessKey={accessKey}
      />
      <ReportForm type="post" target={post.slug} accessKey={accessKey} />
    </article>
  );
}
