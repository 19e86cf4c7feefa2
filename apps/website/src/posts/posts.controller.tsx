import { Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { type Post as PostResource, VitrineError } from '@vitrine/client';
import { loadComments } from '../comments/load-comments';
import { type Outcome, Page } from '../rendering/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import { queryPage } from '../visits/query-parameters';
import type { Visit } from '../visits/visit';
import { voteDirection, voteOutcome } from '../votes/vote';
import { WebsiteConfig } from '../website.config';
import { postHead, UNTITLED } from './post-metadata';
import { PostPage } from './post-page';
import { postPath } from './post-path';

/** Media on one page of a post. */
const PER_PAGE = 20;

@Controller('p')
export class PostsController {
  constructor(@Inject(WebsiteConfig) private readonly config: WebsiteConfig) {}

  /** Asks for the post exactly once: the API counts each time as a view. */
  @Get(':post')
  async show(
    @CurrentVisit() visit: Visit,
    @Param('post') slug: string,
    @Query('key') sentKey: unknown,
  ): Promise<Page> {
    const key = keyOf(sentKey);
    const mediaPage = queryPage(visit.request, 'mediaPage');
    const [post, comments] = await Promise.all([
      visit.api.posts.get(slug, { key, mediaPage, perPage: PER_PAGE }),
      loadComments(visit, slug, key),
    ]);
    const secret = key !== undefined || post.visibility === 'private';
    return new Page({
      title: post.title ?? UNTITLED,
      width: 'full',
      secret,
      head: postHead(post, mediaPage, secret, this.config),
      styles: ['post.css', 'comments.css', ...(post.visibility === undefined ? [] : ['editing.css'])],
      scripts: ['post.js', 'comments.js', ...(post.visibility === undefined ? [] : ['editing.js'])],
      body: (
        <PostPage
          post={post}
          accessKey={key}
          mediaPage={mediaPage}
          lastMediaPage={Math.max(1, Math.ceil(post.media_count / PER_PAGE))}
          comments={comments}
          following={await isFollowing(visit, post)}
        />
      ),
    });
  }

  @Post(':post/vote')
  async vote(@CurrentVisit() visit: Visit, @Param('post') slug: string): Promise<Outcome> {
    await visit.requireViewer();
    const key = keyOf(fieldText(visit, 'key'));
    const options = { idempotencyKey: visit.idempotencyKey };
    const answer =
      voteDirection(visit) === 'up'
        ? await visit.api.posts.upvote(slug, { key }, options)
        : await visit.api.posts.downvote(slug, { key }, options);
    return voteOutcome(answer, postPath(slug, { key }));
  }
}

/** The key of a private post, as it came in a query or a form. */
const keyOf = (sent: unknown): string | undefined =>
  typeof sent === 'string' && sent !== '' ? sent : undefined;

/** Whether the viewer follows a post's author. Nobody is asked for visitors without an account. */
async function isFollowing(visit: Visit, { user }: PostResource): Promise<boolean> {
  const viewer = await visit.viewer();
  if (!viewer || !user || viewer.username === user.username) return false;
  try {
    return (await visit.api.users.get(user.username)).isFollowedByUser;
  } catch (error) {
    // The post is there all the same, and its author may be gone since.
    if (error instanceof VitrineError) return false;
    throw error;
  }
}
