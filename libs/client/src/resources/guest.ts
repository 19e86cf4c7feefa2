import { Listing, type ListingOf } from '../listing';
import type { CallOptions, Transport } from '../transport';

/** What a guest has uploaded; a guest's token is needed. */
export class Guest {
  /** `client.guest.posts.iterate()` */
  readonly posts: ListingOf<'listGuestPosts'>;
  readonly media: ListingOf<'listGuestMedia'>;

  constructor(private readonly transport: Transport) {
    this.posts = new Listing((query, options) => transport.call('listGuestPosts', { query }, options));
    this.media = new Listing((query, options) => transport.call('listGuestMedia', { query }, options));
  }

  /** Deletes everything the guest uploaded, and the guest, for good. */
  async delete(options?: CallOptions): Promise<void> {
    await this.transport.call('deleteGuest', {}, options);
  }
}
