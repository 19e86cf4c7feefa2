import { Injectable } from '@nestjs/common';
import { Database } from '@vitrine/database';
import { sqlState } from '@vitrine/runtime';
import type { Caller } from '../../base/access/caller';
import { DomainError, InvalidFieldsError } from '../../base/errors/domain-error';
import { MediaReading } from '../../media/items/media-reading.service';
import { ReauthenticationService } from '../../sign-in/factors/reauthentication.service';
import { EmailAddresses } from '../users/email-addresses.service';
import { type AccountView, UsersService } from '../users/users.service';

/** Changes of a profile: omitted fields stay unchanged, null clears a field. */
export interface ProfileChanges {
  readonly bio?: string | null;
  readonly email?: string | null;
  /** The caller's password, required if `email` changes. */
  readonly currentPassword?: string | undefined;
  /** A code of a second factor, instead of the password. */
  readonly code?: string | undefined;
  /** The slug of a picture of the caller. */
  readonly avatar?: string | null;
}

const invalidAvatar = () => new InvalidFieldsError({ avatar: ['The selected avatar is invalid.'] });

/** The changes that people make to their profiles. */
@Injectable()
export class ProfileEditing {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly emails: EmailAddresses,
    private readonly media: MediaReading,
    private readonly reauthentication: ReauthenticationService,
  ) {}

  /**
   * Changes the caller's profile. An avatar is shown when it is approved; an email address takes effect when it is verified
   * (`EmailAddresses`). Throws `InvalidFieldsError` on an `avatar` that isn't a picture of the caller, and on a missing or
   * wrong `current_password` if the email address changes; `TooManyRequestsError` if the password was wrong too often.
   */
  async update(caller: Caller, changes: ProfileChanges): Promise<AccountView> {
    const { avatar, email, currentPassword, code, ...texts } = changes;
    const avatarMediaId = typeof avatar === 'string' ? await this.findOwnPicture(avatar, caller) : avatar;
    const changesEmail = email !== undefined && email !== (await this.users.findEmail(caller.userId));
    const confirmed = changesEmail
      ? await this.reauthentication.confirm(caller, { currentPassword, code })
      : null;
    try {
      await this.database.transaction(async (tx) => {
        await confirmed?.hold(tx, 'change');
        await this.users.changeProfile(tx, caller.userId, {
          ...texts,
          ...(avatarMediaId !== undefined && { avatarMediaId }),
        });
        if (confirmed && email !== undefined) await this.emails.enter(tx, caller.userId, email);
      });
    } catch (error) {
      // The picture was deleted in the meantime.
      throw sqlState(error) === '23503' ? invalidAvatar() : error;
    }
    return this.users.findAccount(caller.userId);
  }

  private async findOwnPicture(slug: string, caller: Caller): Promise<number> {
    try {
      const { media } = await this.media.findForViewer(slug, caller);
      if (media.userId === caller.userId && media.kind === 'image') return media.id;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'not_found')) throw error;
    }
    throw invalidAvatar();
  }
}
