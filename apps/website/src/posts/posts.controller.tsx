import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { type Post as PostResource, VitrineError } from '@vitrine/client';
import { loadComments } from '../comments/load-comments';
import { MAX_POST_MEDIA } from '@vitrine/contracts';
import type { FormResult } from '../results/form-result';
import { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import type { Visit } from '../visits/visit';
import { voteDirection, voteResult } from '../votes/vote';
import { WebsiteConfig } from '../config/website.config';
import { postHead } from './post-metadata';
import { UNTITLED } from '../media/media-metadata';
import { PostPage } from './post-page';
import { postPath } from '../links/paths';

@Controller('p')
export class PostsController {
  constructor(private readonly config: WebsiteConfig) {}

  /** Reads the post exactly once, with all its media, because the API counts each request as a view. */
  @Get(':post')
  async show(
    @CurrentVisit() visit: Visit,
    @Param('post') slug: string,
    @Query('key') sentKey: unknown,
  ): Promise<Page> {
    const key = keyOf(sentKey);
    const [post, comments] = await Promise.all([
      visit.api.posts.get(slug, { key, perPage: MAX_POST_MEDIA }),
      loadComments(visit, slug, key),
    ]);
    const secret = key !== undefined || post.visibility === 'private';
    return new Page({
      title: post.title ?? UNTITLED,
      width: 'full',
      secret,
      head: postHead(post, secret, this.config),
      styles: ['post.css', 'comments.css', ...(post.visibility === undefined ? [] : ['editing.css'])],
      scripts: ['post.js', 'comments.js', ...(post.visibility === undefined ? [] : ['editing.js'])],
      body: (
        <PostPage
          post={post}
          accessKey={key}
          comments={comments}
          following={await isFollowing(visit, post)}
        />
      ),
    });
  }

  @Post(':post/vote')
  async vote(@CurrentVisit() visit: Visit, @Param('post') slug: string): Promise<FormResult> {
    await visit.requireViewer();
    const key = keyOf(fieldText(visit, 'key'));
    const options = { idempotencyKey: visit.idempotencyKey };
    const answer =
      voteDirection(visit) === 'up'
        ? await visit.api.posts.upvote(slug, { key }, options)
        : await visit.api.posts.downvote(slug, { key }, options);
    return voteResult(answer, postPath(slug, { key }));
  }
}

/** The key of a private post, from the query or the form. */
const keyOf = (sent: unknown): string | undefined =>
  typeof sent === 'string' && sent !== '' ? sent : undefined;

/** Whether the viewer follows a post's author; false without a session. */
async function isFollowing(visit: Visit, { user }: PostResource): Promise<boolean> {
  const viewer = await visit.viewer();
  if (!viewer || !user || viewer.username === user.username) return false;
  try {
    return (await visit.api.users.get(user.username)).isFollowedByUser;
  } catch (error) {
    // The author's account may have been deleted since; the post can still be shown.
    if (error instanceof VitrineError) return false;
    throw error;
  }
}
