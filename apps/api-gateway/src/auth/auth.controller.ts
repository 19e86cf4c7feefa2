import { Body, Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  ApplyRequest,
  LoginRequest,
  LogoutResource,
  MessageResource,
  ProofChallengeResource,
  ProofOfWorkQuery,
  RegisterRequest,
  SecondFactorRequiredResource,
  SessionResource,
} from '@vitrine/contracts/api';
import {
  type Caller,
  LinkedProviders,
  LoginsService,
  type ProofChallenge,
  ProofOfWorkService,
  RegistrationService,
} from '@vitrine/domain';
import {
  API_PREFIX,
  Authenticated,
  CurrentAccess,
  CurrentAgent,
  CurrentCaller,
  IdempotentPost,
  Public,
  type RequestAccess,
  ThrottleFailures,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';
import { answerLogin, presentSession } from './login-answer';
import { Answers, AnswersData } from '../openapi/answers';
import { deviceName } from './device-name';

/**
 * Failed logins of one client, whatever the browser, so that the work of judging them is bounded. `LoginThrottle` limits
 * guessing more tightly, except in browsers that it knows: their people may share an address with a stranger who fails.
 */
const FAILED_LOGINS = { limit: 100, ttl: 5 * 60_000 };

@ApiTags('auth')
@Controller(`${API_PREFIX}/auth`)
export class AuthController {
  constructor(
    private readonly logins: LoginsService,
    private readonly registration: RegistrationService,
    private readonly proofs: ProofOfWorkService,
    private readonly linked: LinkedProviders,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get('proof-of-work')
  @Public()
  @ApiOperation({
    operationId: 'getProofOfWork',
    summary: 'Get a challenge for a proof of work',
    description:
      'Only if `proof_of_work` of `GET /site` is true; otherwise the response is 404. The challenge has the format of ALTCHA. To solve it, find the `counter`, a whole number from 0, for which the SHA-256 of `salt`, `nonce` (both decoded from hexadecimal) and `counter` (4 bytes, the highest first) begins with `keyPrefix`. The field `proof_of_work` of the request is the base64 of the JSON `{"challenge": …, "solution": {"counter": …, "derivedKey": …}}`, with the whole challenge and the whole hash in lowercase hexadecimal. A challenge expires after 10 minutes. It is valid for only one purpose, and only once, even if the request fails for another reason.',
  })
  @ApiResponse({ status: 404 })
  @AnswersData(ProofChallengeResource, 'A challenge.')
  async challenge(@Query() { purpose }: ProofOfWorkQuery): Promise<{ data: ProofChallengeResource }> {
    return { data: presentProofChallenge(await this.proofs.challenge(purpose)) };
  }

  @IdempotentPost('register')
  @Public()
  @ApiOperation({
    operationId: 'register',
    summary: 'Create an account',
    description:
      'Who can register depends on the site (`GET /site`). If `registration` is `invite`, `invite` is required. If it is `approval`, the response without an `invite` is 403, and `POST /auth/apply` is the other way. If it is `closed`, the response is 403. The number of accounts that one IP address can create in a day is limited; above the limit the response is 429.',
  })
  @ApiResponse({ status: 403 })
  @Answers(201, SessionResource, 'The account is created and its first session is open.')
  async register(
    @Body()
    { invite = null, proof_of_work: proof = null, device: deviceToken, ...account }: RegisterRequest,
    @CurrentAccess() { clientKey }: RequestAccess,
    @CurrentAgent() agent: string | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionResource> {
    const browser = { device: deviceName(agent), deviceToken };
    const opened = await this.registration.register(account, invite, clientKey, browser, proof);
    response.set('Location', `${this.urls.api}/me`);
    return presentSession('Account created.', opened, this.urls);
  }

  @IdempotentPost('apply')
  @Public()
  @ApiOperation({
    operationId: 'applyForAccount',
    summary: 'Apply for an account',
    description:
      'Only while `registration` of `GET /site` is `approval`; otherwise the response is 403. Once staff has accepted the application, the account can log in. If they decline it, the username is free again.',
  })
  @ApiResponse({ status: 403 })
  @Answers(202, MessageResource, 'The application is waiting for a decision.')
  async apply(
    @Body() { application, proof_of_work: proof = null, ...account }: ApplyRequest,
    @CurrentAccess() { clientKey }: RequestAccess,
  ): Promise<MessageResource> {
    await this.registration.apply(account, application, clientKey, proof);
    return { message: 'Your application is waiting for a decision. You can log in when it is accepted.' };
  }

  @IdempotentPost('login')
  @Public()
  @ThrottleFailures(FAILED_LOGINS)
  @ApiOperation({
    operationId: 'login',
    summary: 'Log in',
    description:
      '`login` is the username or the verified email address. Every failure gives the same response: 422 with an error on `login`. If the account is suspended and the password is right, the error contains the reason and the end of the suspension. After too many failures the response is 429. On a site without passwords (`GET /site`) it is 403. If the account has a second factor, the response is 202 without a session.',
  })
  @ApiResponse({ status: 403 })
  @Answers(200, SessionResource, 'The session is open.')
  @ApiResponse({
    status: 202,
    type: SecondFactorRequiredResource,
    description: 'The password is right, and the account’s second factor is required.',
  })
  async login(
    @Body() { login, password, device: deviceToken }: LoginRequest,
    @CurrentAccess() { clientKey }: RequestAccess,
    @CurrentAgent() agent: string | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionResource | SecondFactorRequiredResource> {
    const result = await this.logins.login(login, password, {
      client: clientKey,
      device: deviceName(agent),
      deviceToken,
    });
    return answerLogin(result, response, this.urls);
  }

  @IdempotentPost('logout')
  @Authenticated({ session: true, withoutFactor: true })
  @ApiOperation({
    operationId: 'logout',
    summary: 'Log out',
    description:
      'Ends the session of this request. The other sessions and the API tokens of the account stay valid.',
  })
  @Answers(200, LogoutResource, 'The session has ended; its token no longer works.')
  async logout(@CurrentCaller() caller: Caller): Promise<LogoutResource> {
    return { message: 'Logged out.', provider_logout_url: await this.linked.logOut(caller) };
  }
}

/** The resource of a challenge: everything that is signed, and the signature. */
export const presentProofChallenge = ({
  parameters,
  data,
  signature,
}: ProofChallenge): ProofChallengeResource => ({
  parameters: {
    algorithm: parameters.algorithm,
    cost: parameters.cost,
    data: { purpose: data.purpose, difficulty: data.difficulty },
    expiresAt: parameters.expiresAt ?? 0,
    keyLength: parameters.keyLength,
    keyPrefix: parameters.keyPrefix,
    nonce: parameters.nonce,
    salt: parameters.salt,
  },
  signature,
});
