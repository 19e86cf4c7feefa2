import { Controller, Get } from '@nestjs/common';
import { Page } from '../rendering/page';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { FeedPage } from './feed-page';

@Controller()
export class FeedController {
  @Get()
  async front(@CurrentVisit() visit: Visit): Promise<Page> {
    const posts = await visit.api.posts.list({ limit: 30, nsfw: visit.showsNsfw });
    return new Page({
      title: null,
      width: 'full',
      styles: ['grid.css'],
      scripts: ['grid.js'],
      body: <FeedPage posts={posts.data} />,
    });
  }
}
