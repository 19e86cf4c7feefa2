import { Controller, Get, HttpCode, NotFoundException, Param, Post, Res } from '@nestjs/common';
import { isTokenOf } from '@vitrine/contracts';
import type { Response } from 'express';
import { formProblemOf, invalidFormError } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText, fieldTexts, typedPassword } from '../visits/form-fields';
import { ignoreNotFound } from '../visits/errors';
import type { Visit } from '../visits/visit';
import { idOf } from '../visits/query-parameters';
import { WebsiteConfig } from '../config/website.config';
import { newTokenPage } from './new-token-page';
import { shareXFile } from './share-x-file';
import { expiryOf } from './token-expiry';
import { type Scope, SCOPES, tokensPage, type TokensProps } from './tokens-page';

@Controller('settings/tokens')
export class TokensController {
  constructor(private readonly config: WebsiteConfig) {}

  @Get()
  list(@CurrentVisit() visit: Visit): Promise<Page> {
    return this.page(visit);
  }

  /** The response contains the secret. A redirect to another page would require storing the secret. */
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
      if (scopes.length === 0) throw invalidFormError({ scopes: ['Choose at least one.'] });
      const expiry = expiryOf(form.expires, form.day);
      if (expiry === undefined) throw invalidFormError({ expires: ['Choose the day on which it expires.'] });
      // If the form is sent twice, the second response contains the same token.
      const made = await visit.api.tokens.create(
        {
          name: form.name,
          scopes,
          expires_at: expiry,
          ...typedPassword(visit, 'current_password'),
        },
        { idempotencyKey: visit.idempotencyKey },
      );
      return newTokenPage(made);
    } catch (error) {
      return this.page(visit, { form, problem: formProblemOf(error, visit) });
    }
  }

  /** The form sends the token, so it appears in no address and the site doesn't store it. */
  @Post('sharex')
  @HttpCode(200)
  async shareX(
    @CurrentVisit() visit: Visit,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    await visit.requireViewer();
    const token = fieldText(visit, 'token');
    if (!isTokenOf('api', token)) throw new NotFoundException();
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
  async revoke(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<FormResult> {
    await visit.requireViewer();
    await ignoreNotFound(visit.api.tokens.revoke(idOf(id)));
    return new FormResult({ goTo: '/settings/tokens', notice: 'The token was revoked.' });
  }

  private async page(visit: Visit, refused: Pick<TokensProps, 'form' | 'problem'> = {}): Promise<Page> {
    const [{ username, role, has_password: hasPassword }, tokens] = await Promise.all([
      visit.requireViewer(),
      visit.api.tokens.list(),
    ]);
    return tokensPage({ tokens, username, hasPassword, isStaff: role !== 'user', ...refused });
  }
}

const isScope = (text: string): text is Scope => SCOPES.some(([scope]) => scope === text);
