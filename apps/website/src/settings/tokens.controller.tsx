import { Controller, Get, HttpCode, Inject, NotFoundException, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { formTroubleOf, refusal } from '../rendering/form-trouble';
import { Outcome, type Page } from '../rendering/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText, fieldTexts } from '../visits/form-fields';
import { unlessGone } from '../visits/unless-gone';
import type { Visit } from '../visits/visit';
import { idOf } from '../visits/whole-numbers';
import { WebsiteConfig } from '../website.config';
import { newTokenPage } from './new-token-page';
import { shareXFile } from './share-x-file';
import { expiryOf } from './token-expiry';
import { type Scope, SCOPES, tokensPage, type TokensProps } from './tokens-page';

const TOKEN = /^vtr_[A-Za-z0-9]{40}$/;

@Controller('settings/tokens')
export class TokensController {
  constructor(@Inject(WebsiteConfig) private readonly config: WebsiteConfig) {}

  @Get()
  list(@CurrentVisit() visit: Visit): Promise<Page> {
    return this.page(visit);
  }

  /** Answers with the secret itself: leading on to a page of its own would mean to keep it somewhere meanwhile. */
  @Post()
  async create(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    const form = {
      name: fieldText(visit, 'name').trim(),
      scopes: fieldTexts(visit, 'scopes'),
      expires: fieldText(visit, 'expires'),
      day: fieldText(visit, 'day'),
    };
    try {
      const scopes = form.scopes.filter(isScope);
      if (scopes.length === 0) throw refusal({ scopes: ['Choose at least one.'] });
      const expiry = expiryOf(form.expires, form.day);
      if (expiry === undefined) throw refusal({ expires: ['Say on which day it expires.'] });
      // The same form sent again gives the same token, not a second one.
      const made = await visit.api.tokens.create(
        {
          name: form.name,
          scopes,
          expires_at: expiry,
          current_password: fieldText(visit, 'current_password'),
        },
        { idempotencyKey: visit.idempotencyKey },
      );
      return newTokenPage(made);
    } catch (error) {
      return this.page(visit, { form, trouble: formTroubleOf(error, visit) });
    }
  }

  /** The token comes with the form and goes into the file: it is in no address, and the site keeps it nowhere. */
  @Post('sharex')
  @HttpCode(200)
  async shareX(
    @CurrentVisit() visit: Visit,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    await visit.requireViewer();
    const token = fieldText(visit, 'token');
    if (!TOKEN.test(token)) throw new NotFoundException();
    const { siteName, upload } = this.config;
    response.set({
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': 'attachment; filename="vitrine.sxcu"',
      'Cache-Control': 'private, no-store',
      'Referrer-Policy': 'no-referrer',
    });
    return `${JSON.stringify(shareXFile({ name: siteName, upload, token }), null, 2)}\n`;
  }

  @Post(':id/revoke')
  async revoke(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<Outcome> {
    await visit.requireViewer();
    await unlessGone(visit.api.tokens.revoke(idOf(id)));
    return new Outcome({ goTo: '/settings/tokens', notice: 'The token is revoked.' });
  }

  private async page(visit: Visit, refused: Pick<TokensProps, 'form' | 'trouble'> = {}): Promise<Page> {
    const [{ username, role }, tokens] = await Promise.all([visit.requireViewer(), visit.api.tokens.list()]);
    return tokensPage({ tokens, username, isStaff: role !== 'user', ...refused });
  }
}

const isScope = (text: string): text is Scope => SCOPES.some(([scope]) => scope === text);
