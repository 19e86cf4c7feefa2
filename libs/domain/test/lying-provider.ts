import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';

/** What a provider does wrong. */
export interface Lies {
  /** Changes of the metadata. */
  metadata?: Readonly<Record<string, unknown>>;
  /** Changes of the ID token; undefined removes a claim. */
  claims?: Readonly<Record<string, unknown>>;
  /** How the ID token is signed. */
  signature?: 'none' | 'foreign-key' | 'client-secret';
  /** Answers every request so. */
  answer?: (request: IncomingMessage, response: ServerResponse) => void;
  /** The client's secret at the token endpoint is not checked by default; this refuses it. */
  refuses?: boolean;
}

interface Grant {
  readonly subject: string;
  readonly nonce: string | null;
  readonly challenge: string | null;
  readonly redirectUri: string | null;
}

const SECRET = 'a-secret-of-the-provider';

/** An identity provider in this process that does what the specification says, and lies where a test wants it to. */
export class LyingProvider {
  lies: Lies = {};
  /** Paths that were requested. */
  readonly asked: string[] = [];
  private readonly grants = new Map<string, Grant>();
  private readonly server: Server;
  private keys!: Awaited<ReturnType<typeof generateKeyPair>>;
  private foreign!: Awaited<ReturnType<typeof generateKeyPair>>;

  constructor(readonly name: string) {
    this.server = createServer((request, response) => void this.handle(request, response));
  }

  async start(): Promise<this> {
    this.keys = await generateKeyPair('RS256');
    this.foreign = await generateKeyPair('RS256');
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return this;
  }

  stop(): Promise<void> {
    return new Promise((done) => {
      this.server.close(() => done());
      this.server.closeAllConnections();
    });
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Its entry in `OIDC_PROVIDERS`. */
  settings(more: object = {}): object {
    return {
      name: this.name,
      title: this.name,
      issuer: this.issuer,
      client_id: 'vitrine',
      client_secret: SECRET,
      ...more,
    };
  }

  /** What a person does in a browser: logs in as `subject`; returns the query of the callback. */
  approve(address: string, subject: string, changes: Readonly<Record<string, string | null>> = {}): string {
    const { searchParams } = new URL(address);
    const code = randomBytes(16).toString('hex');
    this.grants.set(code, {
      subject,
      nonce: searchParams.get('nonce'),
      challenge: searchParams.get('code_challenge'),
      redirectUri: searchParams.get('redirect_uri'),
    });
    const query = new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: this.issuer });
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) query.delete(name);
      else query.set(name, value);
    }
    return query.toString();
  }

  /** A signed token, as the lies want it. */
  async sign(payload: JWTPayload, type = 'JWT'): Promise<string> {
    const claims = { ...payload, ...this.lies.claims };
    const { signature } = this.lies;
    if (signature === 'none') return new UnsecuredJWT(claims).encode();
    const jwt = new SignJWT(claims);
    if (signature === 'client-secret')
      return jwt.setProtectedHeader({ alg: 'HS256', typ: type }).sign(new TextEncoder().encode(SECRET));
    const { privateKey } = signature === 'foreign-key' ? this.foreign : this.keys;
    return jwt.setProtectedHeader({ alg: 'RS256', kid: 'one', typ: type }).sign(privateKey);
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.issuer);
    this.asked.push(pathname);
    if (this.lies.answer) return this.lies.answer(request, response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [status, body] = await this.answer(pathname, new URLSearchParams(Buffer.concat(chunks).toString()));
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  }

  private async answer(path: string, form: URLSearchParams): Promise<[number, unknown]> {
    switch (path) {
      case '/.well-known/openid-configuration':
        return [200, this.metadata()];
      case '/jwks':
        return [
          200,
          { keys: [{ ...(await exportJWK(this.keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] },
        ];
      case '/token':
        return this.exchange(form);
      default:
        return [404, {}];
    }
  }

  private metadata(): object {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      end_session_endpoint: `${issuer}/logout`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ...this.lies.metadata,
    };
  }

  private async exchange(form: URLSearchParams): Promise<[number, unknown]> {
    const code = form.get('code') ?? '';
    const grant = this.grants.get(code);
    this.grants.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (
      !grant ||
      this.lies.refuses ||
      grant.challenge !== challenge ||
      grant.redirectUri !== form.get('redirect_uri')
    )
      return [400, { error: 'invalid_grant' }];
    const now = Math.floor(Date.now() / 1000);
    const id_token = await this.sign({
      iss: this.issuer,
      aud: 'vitrine',
      sub: grant.subject,
      iat: now,
      exp: now + 300,
      auth_time: now,
      sid: `session of ${grant.subject}`,
      preferred_username: grant.subject,
      ...(grant.nonce !== null && { nonce: grant.nonce }),
    });
    return [200, { access_token: 'unused', token_type: 'Bearer', id_token }];
  }
}
