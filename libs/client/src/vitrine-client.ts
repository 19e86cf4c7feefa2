import { Admin } from './resources/admin';
import { Auth } from './resources/auth';
import { Collections } from './resources/collections';
import { Comments } from './resources/comments';
import { Guest } from './resources/guest';
import { Invites } from './resources/invites';
import { Me } from './resources/me';
import { MediaResource } from './resources/media';
import { Moderation } from './resources/moderation';
import { Posts } from './resources/posts';
import { Reports } from './resources/reports';
import { Security } from './resources/security';
import { Sessions } from './resources/sessions';
import { Tags } from './resources/tags';
import { Tokens } from './resources/tokens';
import { UploadTickets } from './resources/upload-tickets';
import { Users } from './resources/users';
import { Webhooks } from './resources/webhooks';
import { type AnswerOf, type CallOptions, Transport, type TransportOptions } from './transport/transport';

export type VitrineClientOptions = TransportOptions;

/** Client of the API of one Vitrine server. */
export class VitrineClient {
  readonly admin: Admin;
  readonly auth: Auth;
  readonly collections: Collections;
  readonly comments: Comments;
  readonly guest: Guest;
  readonly invites: Invites;
  readonly me: Me;
  readonly media: MediaResource;
  readonly moderation: Moderation;
  readonly posts: Posts;
  readonly reports: Reports;
  readonly security: Security;
  readonly sessions: Sessions;
  readonly tags: Tags;
  readonly tokens: Tokens;
  readonly uploadTickets: UploadTickets;
  readonly users: Users;
  readonly webhooks: Webhooks;
  private readonly transport: Transport;

  constructor(private readonly options: VitrineClientOptions) {
    const transport = new Transport(options);
    this.transport = transport;
    this.admin = new Admin(transport);
    this.auth = new Auth(transport);
    this.collections = new Collections(transport);
    this.comments = new Comments(transport);
    this.guest = new Guest(transport);
    this.invites = new Invites(transport);
    this.me = new Me(transport);
    this.media = new MediaResource(transport);
    this.moderation = new Moderation(transport);
    this.posts = new Posts(transport);
    this.reports = new Reports(transport);
    this.security = new Security(transport);
    this.sessions = new Sessions(transport);
    this.tags = new Tags(transport);
    this.tokens = new Tokens(transport);
    this.uploadTickets = new UploadTickets(transport);
    this.users = new Users(transport);
    this.webhooks = new Webhooks(transport);
  }

  /** Returns a client with the same options and another token, or with none. */
  withToken(token: string | undefined): VitrineClient {
    return new VitrineClient({ ...this.options, token });
  }

  /** Returns the rules of the site about who can register, invite and upload. */
  async site(options?: CallOptions): Promise<AnswerOf<'getSite'>['data']> {
    return (await this.transport.call('getSite', {}, options)).data;
  }

  /** Returns people, tags and titles for what somebody has typed into a search field. */
  async suggest(q: string, options?: CallOptions): Promise<AnswerOf<'suggest'>['data']> {
    return (await this.transport.call('suggest', { query: { q } }, options)).data;
  }

  /** Returns the OpenAPI document of this API. */
  openApi(options?: CallOptions): Promise<AnswerOf<'getOpenApi'>> {
    return this.transport.call('getOpenApi', {}, options);
  }
}
