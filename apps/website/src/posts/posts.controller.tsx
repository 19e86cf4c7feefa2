import { Controller, Get, NotFoundException, Param, Post, Query, Res } from '@nestjs/common';
import { type Post as PostResource, VitrineError } from '@vitrine/client';
import { loadComments } from '../comments/load-comments';
import { MAX_POST_MEDIA } from '@vitrine/contracts';
import type { Response } from 'express';
import type { FormResult } from '../results/form-result';
import { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import type { Visit } from '../visits/visit';
import { voteDirection, voteResult } from '../votes/vote';
import { WebsiteConfig } from '../config/website.config';
import { archivedMedia, PostArchives } from './post-archives';
import { postHead } from './post-metadata';
import { UNTITLED } from '../media/media-metadata';
import { PostPage } from './post-page';
import { statisticsPage } from './statistics-page';
import { loadSurroundings } from './post-surroundings';
import { postPath } from '../links/paths';

@Controller('p')
export class PostsController {
  constructor(
    private readonly config: WebsiteConfig,
    private readonly archives: PostArchives,
  ) {}

  /** Reads the post exactly once, with all its media, because the API counts each request as a view. */
  @Get(':post')
  async show(
    @CurrentVisit() visit: Visit,
    @Param('post') slug: string,
    @Query('key') sentKey: unknown,
  ): Promise<Page> {
    const key = keyOf(sentKey);
    const [post, comments, collections] = await Promise.all([
      visit.api.posts.get(slug, { key, perPage: MAX_POST_MEDIA }),
      loadComments(visit, slug, key),
      visit.hasSession ? visit.api.collections.list({ post: slug }) : null,
    ]);
    const [following, surroundings] = await Promise.all([
      isFollowing(visit, post),
      key === undefined ? loadSurroundings(visit, post) : null,
    ]);
    const secret = key !== undefined || post.visibility === 'private';
    return new Page({
      title: post.title ?? UNTITLED,
      width: 'full',
      secret,
      head: postHead(post, secret, this.config),
      styles: [
        'post.css',
        'grid.css',
        'comments.css',
        ...(post.visibility === undefined ? [] : ['editing.css']),
      ],
      scripts: ['post.js', 'comments.js', ...(post.visibility === undefined ? [] : ['editing.js'])],
      body: (
        <PostPage
          post={post}
          accessKey={key}
          comments={comments}
          collections={collections}
          following={following}
          surroundings={surroundings}
        />
      ),
    });
  }

  /** All files of a post as a ZIP archive. The answer is sent here, so Nest waits for none (`@Res`). */
  @Get(':post/files.zip')
  async files(
    @CurrentVisit() visit: Visit,
    @Param('post') slug: string,
    @Query('key') sentKey: unknown,
    @Res() response: Response,
  ): Promise<void> {
    const post = await visit.apiWithoutViews.posts.get(slug, {
      key: keyOf(sentKey),
      perPage: MAX_POST_MEDIA,
    });
    if (archivedMedia(post).length === 0) throw new NotFoundException();
    if (visit.request.method === 'HEAD') response.type('zip').end();
    else await this.archives.send(post, visit);
  }

  @Get(':post/statistics')
  async statistics(@CurrentVisit() visit: Visit, @Param('post') slug: string): Promise<Page> {
    await visit.requireViewer();
    return statisticsPage(slug, await visit.api.posts.statistics(slug));
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
