import { MAX_LENGTHS } from '@vitrine/contracts';
import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { VitrineError } from '@vitrine/client';
import { isView } from '@vitrine/runtime';
import { formProblemOf } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { deviceOf } from '../accounts/entering';
import { secondFactorPage } from '../accounts/second-factor-page';
import { exchangeSession } from '../visits/exchange-session';
import { fieldLines, fieldText } from '../visits/form-fields';
import { safePath } from '../visits/safe-path';
import type { Visit } from '../visits/visit';
import { continuePage, failedLoginPage, waitingPage } from './provider-login-pages';
import { newcomerPage } from './newcomer-page';

/** A longer address is not remembered: it would make the cookie too large. */
const MAX_NEXT = 1000;

/** Logging in and signing up with identity providers. */
@Controller('log-in/:name')
export class ProvidersController {
  @Get()
  async start(
    @CurrentVisit() visit: Visit,
    @Param('name') name: string,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<Page | FormResult> {
    const provider = await findProvider(visit, name);
    // Only a click on one of our pages begins a login: not another site, nor a browser that reads ahead.
    if (!isView(visit.request) || visit.request.method === 'HEAD' || isFromElsewhere(visit))
      return continuePage(provider.title, visit.path);
    const next = safePath(query['next']);
    const invite = String(query['invite'] ?? '').slice(0, MAX_LENGTHS.code);
    try {
      const { url, transaction } = await visit
        .apiWith(undefined)
        .auth.startProviderLogin(name, { fresh: query['again'] === '1' });
      visit.rememberProviderLogin({ transaction, next: next.length > MAX_NEXT ? '/' : next, invite });
      return new FormResult({ goTo: url });
    } catch (error) {
      return failedLoginPage(provider.title, formProblemOf(error, visit));
    }
  }

  @Get('callback')
  async finish(@CurrentVisit() visit: Visit, @Param('name') name: string): Promise<Page | FormResult> {
    const { title } = await findProvider(visit, name);
    const remembered = visit.providerLogin;
    const next = safePath(remembered.get('next'));
    const [, parameters = ''] = visit.request.originalUrl.split('?', 2);
    try {
      const outcome = await visit.api.auth.finishProviderLogin(name, {
        transaction: remembered.get('transaction') ?? '-',
        parameters: parameters === '' ? '-' : parameters,
        ...deviceOf(visit),
      });
      if (outcome.result === 'newcomer') {
        const invite = remembered.get('invite') ?? '';
        visit.rememberProviderLogin({ registration: outcome.registration ?? '', next, invite });
        const as = new URLSearchParams({ as: outcome.suggested_username ?? '' }).toString();
        return new FormResult({ goTo: `/log-in/${name}/account?${as}` });
      }
      visit.forgetProviderLogin();
      if (outcome.result === 'linked')
        return new FormResult({ goTo: next, notice: `You can now log in with ${title}.` });
      const { session, device, pending_login: pendingLogin, accepted } = outcome;
      if (pendingLogin !== null) return secondFactorPage({ pendingLogin, accepted, next, held: null });
      if (session !== null) await exchangeSession(visit, { session, device });
      return new FormResult({ goTo: next, notice: `Welcome back, ${outcome.user?.username}.` });
    } catch (error) {
      return failedLoginPage(title, problemOf(error, visit));
    }
  }

  @Get('account')
  async showNewcomer(
    @CurrentVisit() visit: Visit,
    @Param('name') name: string,
    @Query('as') as: unknown,
  ): Promise<Page | FormResult> {
    const provider = await findProvider(visit, name);
    const remembered = visit.providerLogin;
    if (!remembered.has('registration')) return new FormResult({ goTo: '/login' });
    return newcomerPage({
      provider,
      site: await visit.api.site(),
      invite: remembered.get('invite') ?? '',
      username: typeof as === 'string' ? as.slice(0, MAX_LENGTHS.username) : '',
    });
  }

  @Post('account')
  async createAccount(@CurrentVisit() visit: Visit, @Param('name') name: string): Promise<Page | FormResult> {
    const provider = await findProvider(visit, name);
    const site = await visit.api.site();
    const remembered = visit.providerLogin;
    const invite = remembered.get('invite') ?? '';
    const username = fieldText(visit, 'username').trim();
    const application = fieldLines(visit, 'application').trim();
    const applies = site.registration === 'approval' && invite === '';
    try {
      const { session, device } = await visit.apiWith(undefined).auth.registerWithProvider(
        name,
        {
          registration: remembered.get('registration') ?? '-',
          username,
          ...(invite !== '' && { invite }),
          ...(applies && { application: application === '' ? ' ' : application }),
          ...deviceOf(visit),
        },
        { idempotencyKey: visit.idempotencyKey },
      );
      visit.forgetProviderLogin();
      if (session === null) return waitingPage(username, provider.title);
      await exchangeSession(visit, { session, device });
      const goTo = safePath(remembered.get('next'));
      return new FormResult({ goTo, notice: `Welcome, ${username}! Your account is ready.` });
    } catch (error) {
      const problem = problemOf(error, visit);
      return newcomerPage({ provider, site, invite, username, application, problem });
    }
  }
}

/** Throws the `VitrineError` of an unknown page if the site has no such provider. */
async function findProvider(visit: Visit, name: string): Promise<{ name: string; title: string }> {
  const { providers } = await visit.api.site();
  const provider = providers.find((one) => one.name === name);
  if (!provider) throw new VitrineError({ code: 'not_found', status: 404, message: 'Not found.' });
  return provider;
}

/** As `formProblemOf`; registration that is closed is a problem of the form too. */
function problemOf(error: unknown, visit: Visit): ReturnType<typeof formProblemOf> {
  if (error instanceof VitrineError && error.code === 'forbidden')
    return { status: 403, errors: { login: [error.message] } };
  return formProblemOf(error, visit);
}

const isFromElsewhere = ({ request }: Visit): boolean =>
  !['same-origin', 'none', undefined].includes(request.get('Sec-Fetch-Site'));
