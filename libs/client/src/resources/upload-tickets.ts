import type { AnswerOf, CallOptions, Transport } from '../transport';

/** Tokens that a page may hold, to upload with. */
export class UploadTickets {
  constructor(private readonly transport: Transport) {}

  /**
   * Makes a ticket for the client's session or guest: `client.withToken(answer.ticket).media.upload(file)`. For a
   * visitor of the web site who has neither it makes a guest too, whose `guest_token` is shown this once.
   */
  create(options?: CallOptions): Promise<AnswerOf<'createUploadTicket'>> {
    return this.transport.call('createUploadTicket', {}, options);
  }
}
