import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyOptions,
} from '../src/sign-in/factors/passkeys.service';

const [USER_PRESENT, USER_VERIFIED, HAS_CREDENTIAL] = [0x01, 0x04, 0x40];

/** What an authenticator may do wrong. */
export interface Misbehaviour {
  readonly origin?: string;
  readonly rpId?: string;
  /** The user only touches it. */
  readonly unverified?: true;
  readonly type?: string;
  readonly challenge?: string;
}

/** A passkey in software (WebAuthn level 3, ES256), for tests of the server. */
export class SoftwarePasskey {
  readonly id = randomBytes(16);
  counter = 0;
  private readonly privateKey: KeyObject;
  private readonly publicKey: KeyObject;

  constructor(
    private readonly origin: string,
    private readonly rpId: string,
  ) {
    ({ privateKey: this.privateKey, publicKey: this.publicKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
    }));
  }

  register(options: PasskeyOptions, wrong: Misbehaviour = {}): PasskeyAttestation {
    const { x = '', y = '' } = this.publicKey.export({ format: 'jwk' });
    const coseKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
    const credential = Buffer.concat([Buffer.alloc(16), uint16(this.id.length), this.id, coseKey]);
    const data = Buffer.concat([this.header(wrong, HAS_CREDENTIAL), credential]);
    const attestation = Buffer.concat([
      // {fmt: "none", attStmt: {}, authData: …} in CBOR.
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
      uint16(data.length),
      data,
    ]);
    return {
      id: this.id.toString('base64url'),
      clientData: this.clientData('webauthn.create', options, wrong).toString('base64url'),
      attestation: attestation.toString('base64url'),
      transports: ['internal'],
    };
  }

  assert(options: PasskeyOptions, wrong: Misbehaviour = {}): PasskeyAssertion {
    const clientData = this.clientData('webauthn.get', options, wrong);
    const data = this.header(wrong, 0);
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
    return {
      id: this.id.toString('base64url'),
      clientData: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: createSign('sha256').update(signed).sign(this.privateKey).toString('base64url'),
    };
  }

  private header({ rpId = this.rpId, unverified }: Misbehaviour, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const verified = unverified ? 0 : USER_VERIFIED;
    return Buffer.concat([
      createHash('sha256').update(rpId).digest(),
      Buffer.from([flags | USER_PRESENT | verified]),
      counter,
    ]);
  }

  private clientData(
    type: string,
    options: PasskeyOptions,
    { origin = this.origin, type: other = type, challenge = String(options['challenge']) }: Misbehaviour,
  ): Buffer {
    return Buffer.from(JSON.stringify({ type: other, challenge, origin, crossOrigin: false }));
  }
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
