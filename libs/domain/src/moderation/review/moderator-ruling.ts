import type { Ruling } from '@vitrine/contracts';
import type { Viewer } from '../../base/access/viewer';

/** A moderator's ruling on a media item or a post. */
export interface ModeratorRuling {
  readonly status: Ruling;
  /** The moderator's note, at most 1,000 characters. */
  readonly note: string;
  /** Whether to ban the files and their pictures too; only with `rejected`. */
  readonly ban: boolean;
  readonly moderator: NonNullable<Viewer> & { readonly username: string };
}

/** A moderator's ruling on a post. */
export interface PostRuling extends ModeratorRuling {
  /** The revision of the content that the moderator has read, if the ruling names one. */
  readonly revision?: number | undefined;
}
