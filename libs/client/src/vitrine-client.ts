import { Auth } from './resources/auth';
import { Me } from './resources/me';
import { MediaResource } from './resources/media';
import { Tokens } from './resources/tokens';
import { Transport, type TransportOptions } from './transport';

export type VitrineClientOptions = TransportOptions;

/** The whole API of one Vitrine. */
export class VitrineClient {
  readonly auth: Auth;
  readonly me: Me;
  readonly media: MediaResource;
  readonly tokens: Tokens;

  constructor(private readonly options: VitrineClientOptions) {
    const transport = new Transport(options);
    this.auth = new Auth(transport);
    this.me = new Me(transport);
    this.media = new MediaResource(transport);
    this.tokens = new Tokens(transport);
  }

  /** The same client as somebody else, or as nobody. */
  withToken(token: string | undefined): VitrineClient {
    return new VitrineClient({ ...this.options, token });
  }
}
