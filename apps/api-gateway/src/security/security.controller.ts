import { Body, Controller, Delete, Get, Param, Patch, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  AddedFactorResource,
  AddedPasskeyResource,
  AddPasskeyRequest,
  ConfirmAppRequest,
  MessageResource,
  NewAppResource,
  PasskeyOptionsResource,
  PasskeyResource,
  PastLoginResource,
  ProofRequest,
  RecoveryCodesResource,
  RenamePasskeyRequest,
  SecurityResource,
} from '@vitrine/contracts/api';
import { AccountSecurity, type Caller } from '@vitrine/domain';
import { presentPasskey, presentPastLogin, presentSecurity } from './security.presenter';
import { API_PREFIX, Authenticated, CurrentCaller, IdempotentPost, IdPipe } from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';
import { PROOF, proofIn, readAttestation } from '../proofs/proof-bodies';
import { Answers, AnswersData } from '../openapi/answers';

@ApiTags('me')
@Controller(`${API_PREFIX}/me`)
@Authenticated({ session: true, withoutFactor: true })
export class SecurityController {
  constructor(
    private readonly security: AccountSecurity,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get('security')
  @ApiOperation({
    operationId: 'getSecurity',
    summary: 'Get your second factors',
    description: 'The authenticator app, the passkeys, and how many recovery codes are left.',
  })
  @AnswersData(SecurityResource, 'The second factors of the account.')
  async show(@CurrentCaller() caller: Caller): Promise<{ data: SecurityResource }> {
    return { data: presentSecurity(await this.security.find(caller)) };
  }

  @Get('logins')
  @ApiOperation({
    operationId: 'listLogins',
    summary: 'List your logins',
    description: 'The logins of the last 90 days, at most 200, including those whose sessions have ended.',
  })
  @AnswersData([PastLoginResource], 'The logins, latest first.')
  async listLogins(@CurrentCaller() caller: Caller): Promise<{ data: PastLoginResource[] }> {
    return { data: (await this.security.findLogins(caller)).map(presentPastLogin) };
  }

  @IdempotentPost('authenticator-app')
  @ApiOperation({
    operationId: 'beginAuthenticatorApp',
    summary: 'Set up an authenticator app',
    description: `${PROOF} The app is turned on when its first code is confirmed, which must happen within 15 minutes. An account can have one app.`,
  })
  @Answers(200, NewAppResource, 'The secret for the app (RFC 6238: SHA-1, six digits, 30 seconds).')
  async beginApp(@CurrentCaller() caller: Caller, @Body() body: ProofRequest): Promise<NewAppResource> {
    const { secret, uri } = await this.security.beginApp(caller, proofIn(body));
    return { message: 'Add the secret to your app and confirm its first code.', secret, uri };
  }

  @IdempotentPost('authenticator-app/confirmation')
  @ApiOperation({
    operationId: 'confirmAuthenticatorApp',
    summary: 'Turn the authenticator app on',
    description:
      'From now on, logging in with the password requires a second factor. Sessions and tokens stay valid.',
  })
  @Answers(200, AddedFactorResource, 'The app is turned on.')
  async confirmApp(
    @CurrentCaller() caller: Caller,
    @Body() { code }: ConfirmAppRequest,
  ): Promise<AddedFactorResource> {
    const { recoveryCodes } = await this.security.confirmApp(caller, code);
    return { message: 'The authenticator app is on.', recovery_codes: recoveryCodes };
  }

  @Delete('authenticator-app')
  @ApiOperation({
    operationId: 'removeAuthenticatorApp',
    summary: 'Turn the authenticator app off',
    description: `${PROOF} If this was the last second factor, the recovery codes are removed too. Without an app the response is 404.`,
  })
  @ApiResponse({ status: 404 })
  @Answers(200, MessageResource, 'The app is turned off.')
  async removeApp(@CurrentCaller() caller: Caller, @Body() body: ProofRequest): Promise<MessageResource> {
    await this.security.removeApp(caller, proofIn(body));
    return { message: 'The authenticator app is off.' };
  }

  @IdempotentPost('passkeys/options')
  @ApiOperation({
    operationId: 'beginPasskey',
    summary: 'Get the options to create a passkey',
    description: `${PROOF} The new passkey must verify its user and be usable without a username.`,
  })
  @Answers(200, PasskeyOptionsResource, 'The options for the browser.')
  async beginPasskey(
    @CurrentCaller() caller: Caller,
    @Body() body: ProofRequest,
  ): Promise<PasskeyOptionsResource> {
    return { options: await this.security.beginPasskey(caller, proofIn(body)) };
  }

  @IdempotentPost('passkeys')
  @ApiOperation({
    operationId: 'addPasskey',
    summary: 'Add a passkey',
    description:
      'Send the passkey that the browser created with the options. You can then log in with it instead of the password, or use it as a second factor after the password. An account can have at most 20 passkeys.',
  })
  @Answers(201, AddedPasskeyResource, 'The passkey is added.')
  async addPasskey(
    @CurrentCaller() caller: Caller,
    @Body() body: AddPasskeyRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AddedPasskeyResource> {
    const { passkey, recoveryCodes } = await this.security.addPasskey(
      caller,
      readAttestation(body),
      body.name,
    );
    response.set('Location', `${this.urls.api}/me/security`);
    return { message: 'Passkey added.', passkey: presentPasskey(passkey), recovery_codes: recoveryCodes };
  }

  @Patch('passkeys/:id')
  @ApiOperation({
    operationId: 'renamePasskey',
    summary: 'Rename a passkey',
    description: 'For a passkey of another account the response is 404.',
  })
  @AnswersData(PasskeyResource, 'The renamed passkey.')
  async renamePasskey(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: number,
    @Body() { name }: RenamePasskeyRequest,
  ): Promise<{ data: PasskeyResource }> {
    return { data: presentPasskey(await this.security.renamePasskey(caller, id, name)) };
  }

  @Delete('passkeys/:id')
  @ApiOperation({
    operationId: 'removePasskey',
    summary: 'Remove a passkey',
    description: `${PROOF} For a passkey of another account the response is 404.`,
  })
  @Answers(200, MessageResource, 'The passkey is removed.')
  async removePasskey(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: number,
    @Body() body: ProofRequest,
  ): Promise<MessageResource> {
    await this.security.removePasskey(caller, id, proofIn(body));
    return { message: 'Passkey removed.' };
  }

  @IdempotentPost('recovery-codes')
  @ApiOperation({
    operationId: 'replaceRecoveryCodes',
    summary: 'Replace your recovery codes',
    description: `${PROOF} The earlier codes no longer work.`,
  })
  @Answers(200, RecoveryCodesResource, 'The new codes.')
  async replaceRecoveryCodes(
    @CurrentCaller() caller: Caller,
    @Body() body: ProofRequest,
  ): Promise<RecoveryCodesResource> {
    const codes = await this.security.replaceRecoveryCodes(caller, proofIn(body));
    return { message: 'The recovery codes are replaced.', recovery_codes: codes };
  }
}
