import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { type VitrineClient, VitrineError } from '@vitrine/client';
import { Outcome, type Page } from '../rendering/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import { queryPage } from '../visits/query-parameters';
import { unlessGone } from '../visits/unless-gone';
import type { Visit } from '../visits/visit';
import { expiredPage, guestPage } from './guest-page';
import { guestPath, isGuestToken } from './guest-path';

/** Posts, and files, of one page. */
const PAGE_SIZE = 60;

@Controller()
export class GuestsController {
  /** To the private page of what was uploaded in this browser. */
  @Get('guest')
  own(@CurrentVisit() visit: Visit): Outcome {
    const { guestToken } = visit;
    if (guestToken !== undefined) return new Outcome({ goTo: guestPath(guestToken) });
    return new Outcome({ goTo: '/upload', notice: 'Nothing was uploaded here without an account.' });
  }

  @Get('g/:token')
  async show(
    @CurrentVisit() visit: Visit,
    @Param('token') token: string,
    @Query('posted') posted: unknown,
  ): Promise<Page> {
    return this.withGuest(visit, token, async (api) => {
      const query = { limit: PAGE_SIZE, page: queryPage(visit.request) };
      const [posts, media] = await Promise.all([api.guest.posts.list(query), api.guest.media.list(query)]);
      const made = posts.data.find(({ slug }) => slug === posted) ?? null;
      return guestPage({ token, posts, media, made, path: visit.path });
    });
  }

  @Post('g/:token/posts/delete')
  async deletePost(@CurrentVisit() visit: Visit, @Param('token') token: string): Promise<Page | Outcome> {
    return this.withGuest(visit, token, async (api) => {
      await unlessGone(api.posts.delete(fieldText(visit, 'slug')));
      return new Outcome({
        goTo: guestPath(token),
        notice: 'The post is deleted. Its files are still here.',
      });
    });
  }

  @Post('g/:token/media/delete')
  async deleteMedia(@CurrentVisit() visit: Visit, @Param('token') token: string): Promise<Page | Outcome> {
    return this.withGuest(visit, token, async (api) => {
      await unlessGone(api.media.delete(fieldText(visit, 'slug')));
      return new Outcome({ goTo: guestPath(token), notice: 'The file is deleted.' });
    });
  }

  @Post('g/:token/delete')
  async deleteAll(@CurrentVisit() visit: Visit, @Param('token') token: string): Promise<Page | Outcome> {
    return this.withGuest(visit, token, async (api) => {
      await api.guest.delete();
      if (visit.guestToken === token) visit.dropGuestToken();
      return new Outcome({ goTo: '/', notice: 'Everything under your private link is deleted.' });
    });
  }

  /** Whoever has the link is the guest, whichever session or guest their browser has besides. */
  private async withGuest<Reply>(
    visit: Visit,
    token: string,
    act: (api: VitrineClient) => Promise<Reply>,
  ): Promise<Reply | Page> {
    try {
      if (isGuestToken(token)) return await act(visit.apiWith(token));
    } catch (error) {
      if (!isOver(error)) throw error;
      if (visit.guestToken === token) visit.dropGuestToken();
    }
    return expiredPage();
  }
}

const isOver = (error: unknown): boolean => error instanceof VitrineError && error.code === 'unauthenticated';
