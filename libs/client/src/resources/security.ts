import type { AnswerOf, BodyOf, CallOptions, Transport } from '../transport/transport';

/** Second factors of your account, and its logins. Only a session may use this. */
export class Security {
  constructor(private readonly transport: Transport) {}

  /** Your authenticator app, passkeys and recovery codes. */
  async get(options?: CallOptions): Promise<AnswerOf<'getSecurity'>['data']> {
    return (await this.transport.call('getSecurity', {}, options)).data;
  }

  /** Your logins of the last 90 days, latest first. */
  async logins(options?: CallOptions): Promise<AnswerOf<'listLogins'>['data']> {
    return (await this.transport.call('listLogins', {}, options)).data;
  }

  /** The secret for an authenticator app; `confirmApp` turns it on. */
  beginApp(
    body: BodyOf<'beginAuthenticatorApp'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'beginAuthenticatorApp'>> {
    return this.transport.call('beginAuthenticatorApp', { body }, options);
  }

  /** Turns the authenticator app on with its first code. The answer has recovery codes if it is the first factor. */
  confirmApp(
    body: BodyOf<'confirmAuthenticatorApp'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'confirmAuthenticatorApp'>> {
    return this.transport.call('confirmAuthenticatorApp', { body }, options);
  }

  async removeApp(body: BodyOf<'removeAuthenticatorApp'>, options?: CallOptions): Promise<void> {
    await this.transport.call('removeAuthenticatorApp', { body }, options);
  }

  /** The options with which a browser creates a passkey; `addPasskey` adds it. */
  beginPasskey(body: BodyOf<'beginPasskey'>, options?: CallOptions): Promise<AnswerOf<'beginPasskey'>> {
    return this.transport.call('beginPasskey', { body }, options);
  }

  /** Adds a passkey. The answer has recovery codes if it is the first factor. */
  addPasskey(body: BodyOf<'addPasskey'>, options?: CallOptions): Promise<AnswerOf<'addPasskey'>> {
    return this.transport.call('addPasskey', { body }, options);
  }

  async renamePasskey(
    id: number,
    body: BodyOf<'renamePasskey'>,
    options?: CallOptions,
  ): Promise<AnswerOf<'renamePasskey'>['data']> {
    return (await this.transport.call('renamePasskey', { path: { id }, body }, options)).data;
  }

  async removePasskey(id: number, body: BodyOf<'removePasskey'>, options?: CallOptions): Promise<void> {
    await this.transport.call('removePasskey', { path: { id }, body }, options);
  }

  /** Ten new recovery codes; the earlier ones no longer work. */
  async replaceRecoveryCodes(
    body: BodyOf<'replaceRecoveryCodes'>,
    options?: CallOptions,
  ): Promise<readonly string[]> {
    return (await this.transport.call('replaceRecoveryCodes', { body }, options)).recovery_codes;
  }
}
