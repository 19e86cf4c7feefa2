import { Controller, Get, Param } from '@nestjs/common';
import { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { MediaPage } from './media-page';

@Controller('m')
export class MediaController {
  /**
   * The API doesn't say whether all posts with the media item are hidden or private, so search engines don't index
   * these pages.
   */
  @Get(':slug')
  async show(@CurrentVisit() visit: Visit, @Param('slug') slug: string): Promise<Page> {
    const [media, viewer] = await Promise.all([visit.api.media.get(slug), visit.viewer()]);
    const own = viewer !== null && viewer.username === media.user?.username;
    return new Page({
      title: media.title ?? 'Untitled',
      width: 'full',
      head: { robots: 'noindex', canonical: `/m/${media.slug}` },
      styles: ['post.css', ...(own ? ['editing.css'] : [])],
      scripts: ['post.js', ...(own ? ['editing.js'] : [])],
      body: <MediaPage media={media} />,
    });
  }
}
