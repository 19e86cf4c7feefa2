import { Controller, Get, Param } from '@nestjs/common';
import { WebsiteConfig } from '../config/website.config';
import { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { mediaHead, UNTITLED } from './media-metadata';
import { MediaPage } from './media-page';

@Controller('m')
export class MediaController {
  constructor(private readonly config: WebsiteConfig) {}

  @Get(':slug')
  async show(@CurrentVisit() visit: Visit, @Param('slug') slug: string): Promise<Page> {
    const [media, viewer] = await Promise.all([visit.api.media.get(slug), visit.viewer()]);
    const own = viewer !== null && viewer.username === media.user?.username;
    return new Page({
      title: media.title ?? UNTITLED,
      width: 'full',
      head: mediaHead(media, this.config),
      styles: ['post.css', ...(own ? ['editing.css'] : [])],
      scripts: ['post.js', ...(own ? ['editing.js'] : [])],
      body: <MediaPage media={media} />,
    });
  }
}
