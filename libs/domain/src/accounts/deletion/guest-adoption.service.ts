import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';
import type { Caller } from '../../base/access/caller';
import { ForbiddenError, InvalidFieldsError, UnavailableError } from '../../base/errors/domain-error';
import { MediaListings } from '../../media/items/media-listings.service';
import { MediaLocks } from '../../media/items/media-locks.service';
import { PostMediaService } from '../../posts/rows/post-media.service';
import { TokensService } from '../../sign-in/tokens/tokens.service';
import { AuthorsService } from '../authors/authors.service';
import { QuotasService } from '../quotas/quotas.service';
import { AccountStatesService } from '../states/account-states.service';
import { GuestsService } from '../users/guests.service';

/** The largest number of media, and of posts, that one transaction moves: about a second of work. */
const MAX_ITEMS = 1_000;
/** Each failed try means that an upload of the guest was committed meanwhile. */
const MAX_ATTEMPTS = 5;
const RETRY_AFTER_SECONDS = 1;

/** What has moved to the account. */
export interface Adopted {
  readonly media: number;
  readonly posts: number;
}

/** The guest has uploaded or posted something while their items were being locked. */
class GuestBusyError extends Error {
  override readonly name = 'GuestBusyError';
}

/** Moves what a guest has made to an account. */
@Injectable()
export class GuestAdoption {
  constructor(
    private readonly database: Database,
    private readonly tokens: TokensService,
    private readonly guests: GuestsService,
    private readonly authors: AuthorsService,
    private readonly states: AccountStatesService,
    private readonly quotas: QuotasService,
    private readonly locks: MediaLocks,
    private readonly media: MediaListings,
    private readonly posts: PostMediaService,
  ) {}

  /**
   * Makes the caller the owner of everything that the guest with this token has made, in one transaction, and ends the
   * guest. Throws `InvalidFieldsError` on `guest_token` if it is no guest's token or the guest has too many items,
   * `InsufficientStorageError` if the files don't fit into the caller's quota, `ForbiddenError` if the account is
   * limited, and `UnavailableError` if the guest keeps uploading.
   */
  async adopt(caller: Caller, guestToken: string): Promise<Adopted> {
    const guest = await this.tokens.authenticate(guestToken);
    if (guest?.kind !== 'guest') throw invalidToken('The selected guest_token is invalid.');
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      try {
        const adopted = await this.database.transaction((tx) => this.move(tx, guest.userId, caller.userId));
        this.tokens.forgetBearer(guest.userId);
        return adopted;
      } catch (error) {
        if (!(error instanceof GuestBusyError)) throw error;
      }
    }
    throw new UnavailableError(RETRY_AFTER_SECONDS);
  }

  /** Locks media, posts and then the guest, after which the guest can make nothing. */
  private async move(tx: Transaction, guestId: number, userId: number): Promise<Adopted> {
    const media = await this.locks.lockOf(tx, guestId, MAX_ITEMS + 1);
    const posts = await this.posts.lockOf(tx, guestId, MAX_ITEMS + 1);
    if (media > MAX_ITEMS || posts > MAX_ITEMS)
      throw invalidToken(`A guest with more than ${MAX_ITEMS} files or posts can't be adopted.`);
    if (!(await this.guests.end(tx, guestId))) throw invalidToken('The selected guest_token is invalid.');
    await this.authors.holdLiving(tx, userId);
    // The items of a limited account are in no list, so their listings would be wrong.
    if ((await this.states.findRestriction(tx, userId)) !== null) throw new ForbiddenError();
    const given = {
      media: await this.media.give(tx, guestId, userId),
      posts: await this.posts.give(tx, guestId, userId),
    };
    if (given.media !== media || given.posts !== posts) throw new GuestBusyError();
    await this.quotas.claim(tx, userId);
    return given;
  }
}

const invalidToken = (sentence: string): InvalidFieldsError =>
  new InvalidFieldsError({ guest_token: [sentence] });
