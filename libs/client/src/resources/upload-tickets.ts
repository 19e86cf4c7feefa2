import type { AnswerOf, BodyOf, CallOptions, Transport } from '../transport/transport';

/** Upload tickets: short-lived tokens that only allow uploads, so a web page may hold them. */
export class UploadTickets {
  constructor(private readonly transport: Transport) {}

  /**
   * Creates a ticket for the client's session or guest: `client.withToken(answer.ticket).media.upload(file)`. For a
   * visitor of the website without a token it also creates a guest; the API shows its `guest_token` only once. A guest
   * may need a `proof_of_work` (`client.site()`).
   */
  create(
    options?: CallOptions,
    body: BodyOf<'createUploadTicket'> = {},
  ): Promise<AnswerOf<'createUploadTicket'>> {
    return this.transport.call('createUploadTicket', { body }, options);
  }
}
