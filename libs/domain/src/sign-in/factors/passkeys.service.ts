import { Injectable } from '@nestjs/common';
import { type Transaction, Database, violatedUniqueConstraint } from '@vitrine/database';
import { InvalidFieldsError } from '../../base/errors/domain-error';
import { FactorsConfig } from './factors.config';
import {
  type NewPasskey,
  type Passkey,
  type PasskeyPurpose,
  PasskeyRepository,
  type StoredPasskey,
} from './passkey.repository';

/** Minutes in which a challenge must be answered. */
const CHALLENGE_MINUTES = 5;
const MAX_PASSKEYS = 20;
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

/** What a browser sends of a new passkey; all in base64url. */
export interface PasskeyAttestation {
  readonly id: string;
  readonly clientData: string;
  readonly attestation: string;
  readonly transports: readonly string[];
}

/** What a browser sends to prove that it has a passkey; all in base64url. */
export interface PasskeyAssertion {
  readonly id: string;
  readonly clientData: string;
  readonly authenticatorData: string;
  readonly signature: string;
}

/** A new passkey with a right signature, which is not stored yet. */
export type VerifiedNewPasskey = Pick<NewPasskey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>;

/** A right signature of a passkey, whose counter is not checked yet. */
export interface VerifiedPasskey {
  readonly passkeyId: number;
  readonly userId: number;
  readonly name: string;
  readonly counter: number;
}

/** The options of `navigator.credentials.create` and `get` in JSON (WebAuthn level 3). */
export type PasskeyOptions = Readonly<Record<string, unknown>>;

// Loaded when the first passkey is used, because few processes need it.
const webAuthn = () => import('@simplewebauthn/server');

/** Passkeys: WebAuthn credentials that verify their user and that the browser finds without a username. */
@Injectable()
export class Passkeys {
  constructor(
    private readonly database: Database,
    private readonly repository: PasskeyRepository,
    private readonly config: FactorsConfig,
  ) {}

  /** Options for a new passkey of an account. */
  async registrationOptions(userId: number, username: string): Promise<PasskeyOptions> {
    const { generateRegistrationOptions } = await webAuthn();
    const known = await this.repository.findUsable(userId);
    const options = await generateRegistrationOptions({
      rpName: this.config.rpId,
      rpID: this.config.rpId,
      userName: username,
      // Not personal: the number that the API also shows as `user_id`.
      userID: new TextEncoder().encode(String(userId)),
      attestationType: 'none',
      excludeCredentials: known.map(describe),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      timeout: CHALLENGE_MINUTES * 60_000,
    });
    await this.storeChallenge(options.challenge, 'registration', userId);
    return { ...options };
  }

  /** Options to prove a passkey: any, to log in; or one of `userId`. */
  async assertionOptions(purpose: 'login' | 'confirmation', userId: number | null): Promise<PasskeyOptions> {
    const { generateAuthenticationOptions } = await webAuthn();
    const options = await generateAuthenticationOptions({
      rpID: this.config.rpId,
      userVerification: 'required',
      timeout: CHALLENGE_MINUTES * 60_000,
      ...(userId !== null && { allowCredentials: (await this.repository.findUsable(userId)).map(describe) }),
    });
    await this.storeChallenge(options.challenge, purpose, userId);
    return { ...options };
  }

  /** Verifies a new passkey. The challenge is used up in every case. Throws `InvalidFieldsError` on `passkey`. */
  async verifyNew(userId: number, sent: PasskeyAttestation): Promise<VerifiedNewPasskey> {
    const { verifyRegistrationResponse } = await webAuthn();
    const challenge = await this.useChallenge(sent.clientData, 'registration', userId);
    const verified = await verifyRegistrationResponse({
      response: {
        id: sent.id,
        rawId: sent.id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: sent.clientData, attestationObject: sent.attestation },
      },
      expectedChallenge: challenge,
      expectedOrigin: this.config.expectedOrigins,
      expectedRPID: this.config.rpId,
      requireUserVerification: true,
    }).catch(() => null);
    if (!verified?.verified) throw invalidPasskey();
    const { credential } = verified.registrationInfo;
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: sent.transports.filter((transport) => TRANSPORTS.includes(transport)),
    };
  }

  /**
   * Adds a verified passkey to a locked account and returns its id. Throws `InvalidFieldsError` on `passkey` if it is
   * known or there are too many; the transaction must then end.
   */
  async add(tx: Transaction, userId: number, verified: VerifiedNewPasskey, name: string): Promise<number> {
    if ((await this.repository.count(tx, userId)) >= MAX_PASSKEYS)
      throw new InvalidFieldsError({
        passkey: [`An account may not have more than ${MAX_PASSKEYS} passkeys.`],
      });
    try {
      return await this.repository.insert(tx, { ...verified, userId, name });
    } catch (error) {
      throw violatedUniqueConstraint(error) === 'passkeys_credential_key' ? invalidPasskey() : error;
    }
  }

  /**
   * Verifies the signature of a passkey: of any account to log in, or of `userId`. The challenge is used up in every
   * case. Null if it is wrong. The caller then calls `use` in the transaction of what the passkey proves.
   */
  async verify(
    sent: PasskeyAssertion,
    purpose: 'login' | 'confirmation',
    userId: number | null,
  ): Promise<VerifiedPasskey | null> {
    const { verifyAuthenticationResponse } = await webAuthn();
    const challenge = await this.useChallenge(sent.clientData, purpose, userId).catch(() => null);
    const passkey = await this.repository.findByCredential(Buffer.from(sent.id, 'base64url'));
    if (!challenge || !passkey || (userId !== null && passkey.userId !== userId)) return null;
    const verified = await verifyAuthenticationResponse({
      response: {
        id: sent.id,
        rawId: sent.id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: sent.clientData,
          authenticatorData: sent.authenticatorData,
          signature: sent.signature,
        },
      },
      expectedChallenge: challenge,
      expectedOrigin: this.config.expectedOrigins,
      expectedRPID: this.config.rpId,
      // `use` checks the counter after the signature is known to be right, under the lock of the row.
      credential: { id: sent.id, publicKey: Uint8Array.from(passkey.publicKey), counter: 0 },
      requireUserVerification: true,
    }).catch(() => null);
    if (!verified?.verified) return null;
    const { id, name } = passkey;
    return { passkeyId: id, userId: passkey.userId, name, counter: verified.authenticationInfo.newCounter };
  }

  /** Records a use. Returns false if the counter did not rise: a copy of the passkey exists. */
  use(tx: Transaction, { passkeyId, counter }: VerifiedPasskey): Promise<boolean> {
    return this.repository.noteUse(tx, passkeyId, counter);
  }

  /** Ends a passkey of which a copy exists. Returns false if it has ended already. */
  markCloned(tx: Transaction, { passkeyId }: VerifiedPasskey): Promise<boolean> {
    return this.repository.markCloned(tx, passkeyId);
  }

  /** Oldest first. */
  findAll(userId: number): Promise<readonly Passkey[]> {
    return this.repository.findAll(userId);
  }

  find(userId: number, id: number): Promise<Passkey | null> {
    return this.repository.find(userId, id);
  }

  rename(tx: Transaction, userId: number, id: number, name: string): Promise<boolean> {
    return this.repository.rename(tx, userId, id, name);
  }

  /** Returns the name of the removed passkey, or null if there is none. */
  remove(tx: Transaction, userId: number, id: number): Promise<string | null> {
    return this.repository.remove(tx, userId, id);
  }

  removeAll(tx: Transaction, userId: number): Promise<void> {
    return this.repository.removeAll(tx, userId);
  }

  private async storeChallenge(
    challenge: string,
    purpose: PasskeyPurpose,
    userId: number | null,
  ): Promise<void> {
    await this.database.transaction((tx) =>
      this.repository.insertChallenge(
        tx,
        Buffer.from(challenge, 'base64url'),
        purpose,
        userId,
        CHALLENGE_MINUTES,
      ),
    );
  }

  /** Uses up the challenge that a browser has signed, and returns it. Throws `InvalidFieldsError` if it isn't open. */
  private async useChallenge(
    clientData: string,
    purpose: PasskeyPurpose,
    userId: number | null,
  ): Promise<string> {
    const challenge = challengeIn(clientData);
    const open =
      challenge !== null &&
      (await this.database.transaction((tx) =>
        this.repository.useChallenge(tx, Buffer.from(challenge, 'base64url'), purpose, userId),
      ));
    if (!open) throw invalidPasskey();
    return challenge;
  }
}

const invalidPasskey = () =>
  new InvalidFieldsError({ passkey: ['This passkey could not be verified. Try again.'] });

const describe = ({ credentialId, transports }: StoredPasskey) => ({
  id: credentialId.toString('base64url'),
  transports: [...transports],
});

function challengeIn(clientData: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8'));
    const challenge =
      typeof data === 'object' && data !== null && 'challenge' in data ? data.challenge : null;
    return typeof challenge === 'string' && challenge !== '' ? challenge : null;
  } catch {
    return null;
  }
}
