import type { Ruling } from '@vitrine/contracts';
import type { Viewer } from '../media/media.rules';

/** A moderator's word on a media or a post. */
export interface ModeratorRuling {
  readonly status: Ruling;
  /** The moderator's own words, at most 1,000 characters. */
  readonly note: string;
  /** Also ban the files and their pictures; with `rejected` alone. */
  readonly ban: boolean;
  readonly moderator: NonNullable<Viewer> & { readonly username: string };
}

/** A moderator's ruling on a post. */
export interface PostRuling extends ModeratorRuling {
  /** The revision of the content that the moderator has read; absent where the ruling names none. */
  readonly revision?: number | undefined;
}
