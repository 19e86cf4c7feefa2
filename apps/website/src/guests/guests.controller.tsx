import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { type VitrineClient, VitrineError } from '@vitrine/client';
import { isTokenOf } from '@vitrine/contracts';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import { queryPage } from '../visits/query-parameters';
import { ignoreNotFound } from '../visits/errors';
import type { Visit } from '../visits/visit';
import { expiredPage, guestPage } from './guest-page';
import { guestPath } from '../links/paths';
import { adoptGuest } from './adopt-guest';

/** Posts, and media, on one page. */
const PAGE_SIZE = 60;

@Controller()
export class GuestsController {
  /** Redirects to the private page of this browser's guest. */
  @Get('guest')
  own(@CurrentVisit() visit: Visit): FormResult {
    const { guestToken } = visit;
    if (guestToken !== undefined) return new FormResult({ goTo: guestPath(guestToken) });
    return new FormResult({
      goTo: '/upload',
      notice: 'Nothing was uploaded from this browser without an account.',
    });
  }

  /** Moves the uploads of this browser's guest to the account. */
  @Post('guest/adopt')
  async adopt(@CurrentVisit() visit: Visit): Promise<FormResult> {
    await visit.requireViewer();
    return new FormResult({ goTo: '/files', notice: await adoptGuest(visit, visit.api) });
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
  async deletePost(@CurrentVisit() visit: Visit, @Param('token') token: string): Promise<Page | FormResult> {
    return this.withGuest(visit, token, async (api) => {
      const alongWithMedia = fieldText(visit, 'media') !== '';
      await ignoreNotFound(api.posts.delete(fieldText(visit, 'slug'), { alongWithMedia }));
      return new FormResult({
        goTo: guestPath(token),
        notice: `The post was deleted. Its files were ${alongWithMedia ? 'deleted too' : 'kept'}.`,
      });
    });
  }

  @Post('g/:token/media/delete')
  async deleteMedia(@CurrentVisit() visit: Visit, @Param('token') token: string): Promise<Page | FormResult> {
    return this.withGuest(visit, token, async (api) => {
      await ignoreNotFound(api.media.delete(fieldText(visit, 'slug')));
      return new FormResult({ goTo: guestPath(token), notice: 'The file was deleted.' });
    });
  }

  @Post('g/:token/delete')
  async deleteAll(@CurrentVisit() visit: Visit, @Param('token') token: string): Promise<Page | FormResult> {
    return this.withGuest(visit, token, async (api) => {
      await api.guest.delete();
      if (visit.guestToken === token) visit.clearGuestToken();
      return new FormResult({ goTo: '/', notice: 'Everything under your private link was deleted.' });
    });
  }

  /** The token in the link identifies the guest; the browser's own session or guest is not used. */
  private async withGuest<Reply>(
    visit: Visit,
    token: string,
    act: (api: VitrineClient) => Promise<Reply>,
  ): Promise<Reply | Page> {
    try {
      if (isTokenOf('guest', token)) return await act(visit.apiWith(token));
    } catch (error) {
      if (!isOver(error)) throw error;
      if (visit.guestToken === token) visit.clearGuestToken();
    }
    return expiredPage();
  }
}

const isOver = (error: unknown): boolean => error instanceof VitrineError && error.code === 'unauthenticated';
