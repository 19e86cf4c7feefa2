import { BadRequestException, Body, Controller, Param, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  BackchannelLogoutRequest,
  FinishProviderLoginRequest,
  MessageResource,
  ProviderAccountResource,
  ProviderLoginResource,
  ProviderLoginStartResource,
  ProviderRegistrationRequest,
  StartProviderLoginRequest,
} from '@vitrine/contracts/api';
import { type Caller, InvalidFieldsError, LinkedProviders, ProviderLogins } from '@vitrine/domain';
import {
  API_PREFIX,
  CurrentAccess,
  CurrentAgent,
  CurrentViewer,
  IdempotentPost,
  Public,
  type RequestAccess,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';
import { presentSession } from '../auth/login-answer';
import { Answers } from '../openapi/answers';
import { deviceName } from '../auth/device-name';
import { presentOutcome, presentStart } from './provider-answers';

@ApiTags('auth')
@Controller(`${API_PREFIX}/auth/providers/:name`)
@Public()
export class ProvidersController {
  constructor(
    private readonly logins: ProviderLogins,
    private readonly linked: LinkedProviders,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @IdempotentPost('start')
  @ApiOperation({
    operationId: 'startProviderLogin',
    summary: 'Begin a login with a provider',
    description:
      'For the website: providers send people back to its page `/log-in/{name}/callback` and to no other address, so other programs can’t finish the login; they use API tokens. `GET /site` lists the providers. If the provider can’t be reached, the response is 503.',
  })
  @Answers(200, ProviderLoginStartResource, 'The address of the provider, and the secret of this login.')
  async start(
    @Param('name') name: string,
    @Body() { fresh = false }: StartProviderLoginRequest,
  ): Promise<ProviderLoginStartResource> {
    return presentStart(await this.logins.begin(name, fresh));
  }

  @IdempotentPost('finish')
  @ApiOperation({
    operationId: 'finishProviderLogin',
    summary: 'Finish a login with a provider',
    description:
      'Only with the `transaction` that began it, once, and within ten minutes. A login that links a provider needs the session that began it. Every failure gives the same response: 422 with an error on `login`. A new person gets 403 if registration is closed.',
  })
  @ApiResponse({ status: 403 })
  @Answers(200, ProviderLoginResource, 'The result of the login.')
  async finish(
    @Param('name') name: string,
    @Body() { transaction, parameters, device: deviceToken }: FinishProviderLoginRequest,
    @CurrentViewer() caller: Caller | null,
    @CurrentAccess() { clientKey }: RequestAccess,
    @CurrentAgent() agent: string | null,
  ): Promise<ProviderLoginResource> {
    const origin = { client: clientKey, device: deviceName(agent), deviceToken };
    const outcome = await this.logins.finish(name, transaction, parameters, caller, origin);
    return presentOutcome(outcome, this.urls);
  }

  @IdempotentPost('register')
  @ApiOperation({
    operationId: 'registerWithProvider',
    summary: 'Create an account with a provider',
    description:
      'The rules are those of `POST /auth/register` and, with `application`, of `POST /auth/apply`. The account has no password; it can set one with `POST /me/password`.',
  })
  @ApiResponse({ status: 403 })
  @Answers(
    201,
    ProviderAccountResource,
    'The account is created. Its first session is open, unless staff must decide on an application first.',
  )
  async register(
    @Param('name') name: string,
    @Body()
    { registration, username, invite, application, device: deviceToken }: ProviderRegistrationRequest,
    @CurrentAccess() { clientKey }: RequestAccess,
    @CurrentAgent() agent: string | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProviderAccountResource> {
    const account = { username, invite: invite || null, application: application || null };
    const browser = { device: deviceName(agent), deviceToken };
    const opened = await this.logins.register(name, registration, account, clientKey, browser);
    if (!opened) {
      const message = 'Your application is waiting for a decision. You can log in when it is accepted.';
      return { message, user: null, session: null, device: null, expires_at: null };
    }
    response.set('Location', `${this.urls.api}/me`);
    return presentSession('Account created.', opened, this.urls);
  }

  @IdempotentPost('backchannel-logout')
  @ApiOperation({
    operationId: 'endSessionsByProvider',
    summary: 'End sessions for a provider',
    description:
      'For identity providers (OpenID Connect Back-Channel Logout 1.0). Ends the sessions that logins with the provider have opened: either those of one session at the provider, or all sessions of the person. A logout token that is not valid or was used before gets 400.',
  })
  @Answers(200, MessageResource, 'The sessions have ended; every process refuses them within a second.')
  async endSessions(
    @Param('name') name: string,
    @Body() { logout_token: token }: BackchannelLogoutRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MessageResource> {
    response.set('Cache-Control', 'no-store');
    try {
      await this.linked.endSessions(name, token);
    } catch (error) {
      // The specification requires this status.
      throw error instanceof InvalidFieldsError ? new BadRequestException() : error;
    }
    return { message: 'Sessions ended.' };
  }
}
