import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { type Outcome, Page } from '../rendering/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import type { Visit } from '../visits/visit';
import { voteDirection, voteOutcome } from '../votes/vote';
import { PostPage } from './post-page';
import { postPath } from './post-path';

@Controller('p')
export class PostsController {
  @Get(':post')
  async show(
    @CurrentVisit() visit: Visit,
    @Param('post') slug: string,
    @Query('key') sentKey?: unknown,
  ): Promise<Page> {
    const key = keyOf(sentKey);
    const post = await visit.api.posts.get(slug, { key });
    return new Page({
      title: post.title ?? 'Untitled',
      width: 'wide',
      secret: key !== undefined || post.visibility === 'private',
      styles: ['post.css'],
      scripts: ['post.js'],
      body: <PostPage post={post} accessKey={key} />,
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
