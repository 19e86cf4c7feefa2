import { Listing, type ListingOf } from '../lists/listing';
import type { CallOptions, Transport } from '../transport/transport';

/** Posts and media of a guest. Requires the guest's token. */
export class Guest {
  /** `client.guest.posts.iterate()` */
  readonly posts: ListingOf<'listGuestPosts'>;
  readonly media: ListingOf<'listGuestMedia'>;

  constructor(private readonly transport: Transport) {
    this.posts = new Listing((query, options) => transport.call('listGuestPosts', { query }, options));
    this.media = new Listing((query, options) => transport.call('listGuestMedia', { query }, options));
  }

  /** Deletes the guest and everything that it uploaded. This cannot be undone. */
  async delete(options?: CallOptions): Promise<void> {
    await this.transport.call('deleteGuest', {}, options);
  }
}
