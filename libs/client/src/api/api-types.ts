// Generated from docs/openapi.json by `npm run client:types`. Do not edit.

export interface components {
  schemas: {
    Account: {
      /**
       * Format: uri
       * @description URL of the avatar picture.
       */
      avatar: string | null;
      bio: string | null;
      /** Format: date-time */
      created_at: string;
      /**
       * Format: email
       * @description The address as the user entered it.
       */
      email: string | null;
      /** @description Whether `email` is verified, by the link that was sent to it. Until then, the address has no effect. */
      email_verified: boolean;
      follower_count: number;
      following_count: number;
      /** @description Whether the account has a password. Without one, sensitive changes require a login within the last 10 minutes. */
      has_password: boolean;
      media_count: number;
      post_count: number;
      /** @enum {string} */
      role: 'user' | 'moderator' | 'admin';
      /**
       * @description While the account is `limited`, its posts and media are in no list, and it can’t comment on other people’s posts.
       * @enum {string}
       */
      state: 'active' | 'limited' | 'suspended';
      /** @description Why the account is limited, in the moderator’s words. */
      state_reason: string | null;
      /**
       * Format: date-time
       * @description When the account becomes active again; null if there is no such date.
       */
      state_until: string | null;
      /** @description An upload that does not fit into it gets 507. */
      storage: components['schemas']['StorageUse'];
      username: string;
      /**
       * Format: email
       * @description The address that receives mails and can be used to log in. While a new `email` is not verified, this is the previous address.
       */
      verified_email: string | null;
    };
    AccountQuota: {
      /** @description The quota that staff have set for this account; null: the default of the site applies. */
      bytes: number | null;
      /** @description As `bytes`, for the number of files. */
      files: number | null;
      /** @description The quota that applies at this moment. */
      storage: components['schemas']['StorageUse'];
      username: string;
    };
    AccountQuotaChanged: {
      message: string;
      quota: components['schemas']['AccountQuota'];
    };
    AccountQuotaRequest: {
      /** @description Bytes that the account may store. Omitted: unchanged. Null: the default of the site. For no limit, send a number larger than the storage. */
      bytes?: number | null;
      /** @description A code of the authenticator app or a recovery code, instead of the password. */
      code?: string;
      /** @description Your password. Required unless `code` is sent. If your account has no password, you must have logged in within the last 10 minutes instead. */
      current_password?: string;
      /** @description Files that the account may have. Omitted: unchanged. Null: the default of the site. */
      files?: number | null;
    };
    AccountRuled: {
      message: string;
      user: components['schemas']['ModeratedAccount'];
    };
    AccountRulingRequest: {
      /** @description Shown to the account’s owner and stored in the log of decisions. Required unless `state` is `active`. */
      reason?: string | null;
      /**
       * @description `limited`: the posts and media of the account are in no list, and it can’t comment on other people’s posts. `suspended`: it can’t log in, its tokens stop working, and its profile, posts, media, files and comments are hidden. `active` ends both.
       * @enum {string}
       */
      state: 'active' | 'limited' | 'suspended';
      /**
       * Format: date-time
       * @description When the account becomes active again; absent or null: only when staff restore it. Not allowed with `active`.
       */
      until?: string | null;
    };
    AccountUpdated: {
      data: components['schemas']['Account'];
      message: string;
    };
    AddedFactor: {
      message: string;
      /** @description The account’s ten recovery codes, if this is its first second factor; shown only in this response. */
      recovery_codes: string[] | null;
    };
    AddedPasskey: {
      message: string;
      passkey: components['schemas']['Passkey'];
      /** @description The account’s ten recovery codes, if this is its first second factor; shown only in this response. */
      recovery_codes: string[] | null;
    };
    AddPasskeyRequest: {
      /** @description A name by which the owner recognises the passkey. */
      name: string;
      /** @description `response.attestationObject` */
      passkey_attestation: string;
      /** @description `response.clientDataJSON` */
      passkey_client_data: string;
      /** @description The `id` of the credential. */
      passkey_id: string;
      /** @description `response.getTransports()` */
      passkey_transports?: ('ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb')[];
    };
    AddPostMediaRequest: {
      /** @description Ids or slugs of media that belong to the caller. */
      media_ids: (number | string)[];
    };
    Adopted: {
      /** @description The number of media that moved. */
      media: number;
      message: string;
      /** @description The number of posts that moved. */
      posts: number;
    };
    AdoptGuestRequest: {
      /** @description The token of the guest, `vtg_…`. */
      guest_token: string;
    };
    ApiToken: {
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      expires_at: string | null;
      id: number;
      /**
       * Format: date-time
       * @description Accurate to five minutes.
       */
      last_used_at: string | null;
      name: string;
      scopes: ('read' | 'upload' | 'write' | 'moderate')[];
    };
    ApiTokenAnswer: {
      data: components['schemas']['ApiToken'];
    };
    ApiTokenList: {
      data: components['schemas']['ApiToken'][];
    };
    Application: {
      /** @description The text that the applicant wrote. */
      application: string;
      /** Format: date-time */
      created_at: string;
      /**
       * Format: email
       * @description Not verified.
       */
      email: string | null;
      username: string;
    };
    ApplicationDecisionRequest: {
      /**
       * @description `decline` removes the account; the username is free again.
       * @enum {string}
       */
      decision: 'accept' | 'decline';
      /** @description Stored in the log of decisions. */
      reason?: string | null;
    };
    ApplicationList: {
      data: components['schemas']['Application'][];
      links: components['schemas']['PageLinks'];
      meta: components['schemas']['PageMeta'];
    };
    ApplyRequest: {
      /** @description The text for the staff who decide on the application. */
      application: string;
      /**
       * Format: email
       * @description A link to verify it is sent to this address. Until it is used, the address need not be unique and cannot be used to log in.
       */
      email?: string | null;
      /** @description Common and guessable passwords are refused. */
      password: string;
      /** @description The solution of a challenge of `GET /auth/proof-of-work?purpose=apply`. Required if `proof_of_work` of `GET /site` is true, else ignored. */
      proof_of_work?: string | null;
      /** @description Must be unique, ignoring case. Some names are reserved. */
      username: string;
    };
    AuditEntry: {
      /** @enum {string} */
      action:
        | 'media.rule'
        | 'post.rule'
        | 'user.rule'
        | 'application.decide'
        | 'report.dismiss'
        | 'comment.delete'
        | 'hash.ban'
        | 'hash.unban'
        | 'invite.create'
        | 'invite.revoke'
        | 'user.create'
        | 'user.change_role'
        | 'user.change_quota'
        | 'user.reset_link'
        | 'user.remove_second_factor'
        | 'user.end_session'
        | 'user.end_sessions'
        | 'user.delete'
        | 'token.create'
        | 'token.revoke'
        | 'media.reprocess'
        | 'bus.replay'
        | 'bus.discard'
        | 'site.migrate'
        | 'site.seed_demo';
      /** @description Username of the account that acted; it is kept when the account is deleted. Null for the operator on the command line, and for a role that an identity provider gave: `detail.by` names it. */
      actor: string | null;
      /** @description IP address from which the account acted. Null for the operator, if the address is unknown, and when the account has been deleted. */
      address: string | null;
      /** Format: date-time */
      created_at: string;
      /** @description Further values, which depend on the action. For rulings, those of the decision, with the note. */
      detail: {
        [key: string]: unknown;
      } | null;
      id: number;
      /** @description Its name at that time: a username, a slug, an id or a hash. */
      subject: string;
      /** @enum {string} */
      subject_type: 'media' | 'post' | 'comment' | 'user' | 'hash' | 'invite' | 'bus' | 'site';
    };
    AuditEntryList: {
      data: components['schemas']['AuditEntry'][];
      links: components['schemas']['PageLinks'];
      meta: components['schemas']['PageMeta'];
    };
    Author: {
      /**
       * Format: uri
       * @description URL of the avatar picture; null if there is none to show.
       */
      avatar: string | null;
      username: string;
    };
    AuthorList: {
      data: components['schemas']['Author'][];
      links: components['schemas']['PageLinks'];
      meta: components['schemas']['PageMeta'];
    };
    BackchannelLogoutRequest: {
      /** @description The logout token, signed by the provider. */
      logout_token: string;
    };
    BanHashRequest: {
      /** @description SHA-256 of the file’s bytes, or the PDQ hash of a picture. */
      hash: string;
      /**
       * @description Default: `sha256`.
       * @enum {string}
       */
      kind?: 'sha256' | 'pdq';
      reason: string;
    };
    Banned: {
      error: string;
      /** @description The same text as `error`. */
      message: string;
    };
    BannedHash: {
      /** Format: date-time */
      created_at: string;
      /** @description Username of the moderator; null if the operator banned the hash. */
      created_by: string | null;
      hash: string;
      id: number;
      /** @enum {string} */
      kind: 'sha256' | 'pdq';
      reason: string;
    };
    BannedHashAnswer: {
      data: components['schemas']['BannedHash'];
    };
    BannedHashList: {
      data: components['schemas']['BannedHash'][];
      links: components['schemas']['PageLinks'];
      meta: components['schemas']['PageMeta'];
    };
    BusQueue: {
      /** @description Number of dead letters. */
      dead: number;
      /** @description The 20 oldest dead letters. */
      dead_letters: components['schemas']['DeadLetter'][];
      name: string;
      /**
       * Format: date-time
       * @description When a process last checked the queue. Each queue is checked about every ten seconds.
       */
      reported_at: string;
      /** @description Number of waiting messages. */
      waiting: number;
    };
    ChangedMedia: {
      /** @description As the request named it. */
      media: string | number;
      /**
       * @description `invalid`: the media item would have too many tags. It is unchanged then.
       * @enum {string}
       */
      result: 'done' | 'not_found' | 'invalid';
    };
    ChangedMediaList: {
      /** @description In the order of the request. */
      data: components['schemas']['ChangedMedia'][];
    };
    ChangeOwnMediaRequest: {
      /** @description Tags that are added to those of each media item. */
      add_tags?: string[];
      /** @description `true` deletes the media with their files. Other changes are ignored then. */
      delete?: boolean;
      /** @description Ids or slugs of media that belong to the caller. */
      media: (number | string)[];
      /** @description As in `PATCH /media/<slug>`. */
      unlisted?: boolean;
    };
    ChangePasswordRequest: {
      /** @description A code of the authenticator app or a recovery code, instead of the password. */
      code?: string;
      /** @description Your password. Required unless `code` is sent. If your account has no password, you must have logged in within the last 10 minutes instead. */
      current_password?: string;
      /** @description If true, the API tokens stay valid and the webhooks stay enabled. Otherwise all API tokens are revoked and all webhooks are disabled. */
      keep_tokens?: boolean;
      /** @description Common and guessable passwords are refused. */
      password: string;
    };
    ClassScores: {
      /** @description Harmless drawings. */
      drawing: number;
      /** @description Pornographic drawings. */
      hentai: number;
      neutral: number;
      porn: number;
      /** @description Suggestive, not pornographic. */
      sexy: number;
    };
    Collection: {
      /** @description Whether it holds the post that the request has named; absent if it has named none. */
      contains?: boolean;
      /** Format: date-time */
      created_at: string;
      /** @description Null for the collection of saved posts that every account has. */
      name: string | null;
      /** Format: uri */
      page_url: string;
      /** @description Number of its posts, including those that can’t be seen at present; null in the list that names a post. */
      post_count: number | null;
      slug: string;
      /** @description Its owner. */
      user: components['schemas']['Author'];
      /** @enum {string} */
      visibility: 'private' | 'hidden';
    };
    CollectionAnswer: {
      data: components['schemas']['Collection'];
    };
    CollectionList: {
      data: components['schemas']['Collection'][];
    };
    Comment: {
      /** @description `[deleted]` if the comment is a tombstone. */
      content: string;
      /** Format: date-time */
      created_at: string;
      /**
       * Format: date-time
       * @description When its author last changed `content`; null if never, or if the comment is a tombstone.
       */
      edited_at: string | null;
      id: number;
      isDownvotedByUser: boolean;
      isUpvotedByUser: boolean;
      parent_id: number | null;
      post_id: number;
      /** @description Number of direct replies. */
      replies_count: number;
      score: number;
      /** @description Null if the comment is a tombstone. */
      user: components['schemas']['Author'] | null;
      /** @description Null if the comment is a tombstone. */
      user_id: number | null;
    };
    CommentAnswer: {
      data: components['schemas']['Comment'];
    };
    CommentCreated: {
      comment: components['schemas']['Comment'];
      success: boolean;
    };
    CommentCreatedEvent: {
      data: components['schemas']['CommentCreatedEventData'];
      /**
       * Format: date-time
       * @description When the event happened.
       */
      timestamp: string;
      /** @enum {string} */
      type: 'comment.created';
    };
    CommentCreatedEventData: {
      comment_id: number;
      /** @description The comment that it replies to. */
      parent_id: number | null;
      post_id: number;
    };
    CommentDeleted: {
      message: string;
      success: boolean;
    };
    CommentDeletedEvent: {
      data: components['schemas']['CommentDeletedEventData'];
      /**
       * Format: date-time
       * @description When the event happened.
       */
      timestamp: string;
      /** @enum {string} */
      type: 'comment.deleted';
    };
    CommentDeletedEventData: {
      comment_id: number;
      post_id: number;
      /** @description True if it has replies and stays as a tombstone. */
      tombstone: boolean;
    };
    CommentedPost: {
      slug: string;
      /** @description Also null if the post is private or rejected and the caller is neither its owner nor a moderator. */
      title: string | null;
    };
    CommentList: {
      data: components['schemas']['Comment'][];
      links: components['schemas']['PageLinks'];
      meta: components['schemas']['PageMeta'];
    };
    CommentUpdated: {
      comment: components['schemas']['Comment'];
      message: string;
      success: boolean;
    };
    CommentUpdatedEvent: {
      data: components['schemas']['CommentUpdatedEventData'];
      /**
       * Format: date-time
       * @description When the event happened.
       */
      timestamp: string;
      /** @enum {string} */
      type: 'comment.updated';
    };
    CommentUpdatedEventData: {
      comment_id: number;
      /** @description The comment that it replies to. */
      parent_id: number | null;
      post_id: number;
    };
    CompleteLoginRequest: {
      /** @description A code of the authenticator app or a recovery code. Required unless a passkey is sent. */
      code?: string;
      /** @description The value of `device` in the response to an earlier login of this browser. */
      device?: string;
      /** @description `response.authenticatorData` */
      passkey_authenticator_data?: string;
      /** @description `response.clientDataJSON` */
      passkey_client_data?: string;
      /** @description The `id` of the credential, if a passkey completes the login. */
      passkey_id?: string;
      /** @description `response.signature` */
      passkey_signature?: string;
      /** @description The `pending_login` of the response to the login. */
      pending_login: string;
    };
    CompletePasswordResetRequest: {
      /** @description The code in the link. */
      code: string;
      password: string;
    };
    ConfirmAppRequest: {
      /** @description The code that the app shows: six digits. */
      code: string;
    };
    CreateCollectionRequest: {
      /** @description Its name. */
      name: string;
      /**
       * @description Default: `private`. `private`: only you see it. `hidden`: everyone who knows its slug does.
       * @enum {string}
       */
      visibility?: 'private' | 'hidden';
    };
    CreateCommentRequest: {
      content: string;
      /** @description Id of the comment that this one replies to; it must be on the same post. */
      parent_id?: number | null;
    };
    CreatedPost: {
      /** @description Present if the post is private. */
      access_key?: string;
      id: number;
      /** Format: uri */
      page_url: string;
      slug: string;
      /** @enum {string} */
      visibility: 'public' | 'hidden' | 'private';
    };
    CreatePostRequest: {
      description?: string | null;
      /** @description Marks the post as adult content. */
      is_nsfw?: boolean;
      /** @description Ids or slugs of media that belong to the caller. */
      media_ids: (number | string)[];
      tags?: string[] | null;
      title?: string | null;
      /**
       * @description Default: `public`.
       * @enum {string}
       */
      visibility?: 'public' | 'hidden' | 'private';
    };
    CreateReportRequest: {
      /**
       * Format: email
       * @description Where moderators can answer a visitor without an account.
       */
      contact?: string;
      details?: string | null;
      /** @description The solution of a challenge of `GET /auth/proof-of-work?purpose=report`. Required if `proof_of_work` of `GET /site` is true, else ignored. */
      proof_of_work?: string | null;
      /** @enum {string} */
      reason: 'spam' | 'abuse' | 'nsfw' | 'illegal' | 'copyright' | 'other';
      /** @description Slug of a media item, slug or id of a post, id of a comment, or a username. */
      target: string | number;
      /** @enum {string} */
      type: 'media' | 'post' | 'comment' | 'user';
    };
    CreateTokenRequest: {
      /** @description A code of the authenticator app or a recovery code, instead of the password. */
      code?: string;
      /** @description Required if the account has a password, unless `code` is sent. Otherwise you must have logged in within the last 10 minutes. */
      current_password?: string;
      /**
       * Format: date-time
       * @description Must be in the future. Default: one year from now. `null` creates a token that never expires.
       */
      expires_at?: string | null;
      /** @description Describes what the token is used for. */
      name: string;
      /** @description Default: `read`, `upload` and `write`. Only moderators and admins can add `moderate`, which the moderation routes require. */
      scopes?: ('read' | 'upload' | 'write' | 'moderate')[];
    };
    CreateWebhookRequest: {
      /** @description Describes what the webhook is used for. */
      description?: string | null;
      /** @description The events to send. Default: all of them. */
      events?: (
        | 'media.uploaded'
        | 'media.processed'
        | 'media.failed'
        | 'media.moderated'
        | 'media.deleted'
        | 'post.created'
        | 'post.updated'
        | 'post.deleted'
        | 'comment.created'
        | 'comment.updated'
        | 'comment.deleted'
        | 'user.followed'
      )[];
      /** @description An http or https address without user and password, on port 80, 443, 8080 or 8443. It must not lead to a private network. */
      url: string;
    };
    CurrentToken: {
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      expires_at: string | null;
      id: number;
      /** @enum {string} */
      kind: 'api' | 'session';
      /**
       * Format: date-time
       * @description Accurate to five minutes.
       */
      last_used_at: string | null;
      name: string;
      scopes: ('read' | 'upload' | 'write' | 'moderate')[];
    };
    DayViews: {
      /** Format: date */
      date: string;
      views: number;
    };
    DeadLetter: {
      attempts: number;
      /** Format: date-time */
      died_at: string;
      /** @description The type of the event. */
      event: string;
      id: string;
      /** @description Why the last attempt failed. */
      reason: string;
    };
    Decision: {
      /** Format: date-time */
      created_at: string;
      /** @description `system`, `operator` (a command of the server’s operator), or the username of the moderator or owner; `owner` if the owner’s account has been deleted. */
      decided_by: string;
      /**
       * @description Statuses of media and posts, states of accounts.
       * @enum {string}
       */
      from: 'approved' | 'pending' | 'nsfw' | 'rejected' | 'active' | 'limited' | 'suspended';
      id: number;
      /** @description Reason in the moderator’s own words; null for other decisions. */
      note: string | null;
      /** @description `classifier_safe`, `classifier_unsafe`, `classifier_unsure`, `classifier_failed`, `partly_seen`, `banned_hash`, `processing_failed`, `processing_again`, `moderator`, `application`, `operator`, `owner` or `content_changed`. New codes may be added. */
      reason: string;
      /** @description For rulings on posts: the revision of the post’s content. */
      revision: number | null;
      scores: components['schemas']['ModerationScores'] | null;
      /** @description Slug of the media item or post, or username; the item may have been deleted. */
      slug: string;
      /** @enum {string} */
      to: 'approved' | 'pending' | 'nsfw' | 'rejected' | 'active' | 'limited' | 'suspended';
      /** @enum {string} */
      type: 'media' | 'post' | 'user';
      /**
       * Format: date-time
       * @description For decisions on accounts: when the state ends automatically; null if it doesn’t.
       */
      until: string | null;
    };
    DecisionList: {
      data: components['schemas']['Decision'][];
      links: components['schemas']['PageLinks'];
      meta: components['schemas']['PageMeta'];
    };
    DeleteMeRequest: {
      /** @description A code of the authenticator app or a recovery code, instead of the password. */
      code?: string;
      /** @description Required if the account has a password, unless `code` is sent. Otherwise you must have logged in within the last 10 minutes. */
      password?: string;
    };
    DeleteUserRequest: {
      /** @description A code of the authenticator app or a recovery code, instead of the password. */
      code?: string;
      /** @description Your password. Required unless `code` is sent. If your account has no password, you must have logged in within the last 10 minutes instead. */
      current_password?: string;
      /** @description Stored in the audit log. */
      reason: string;
      /** @description The same username as in the path, so that no account is deleted by mistake. */
      username: string;
    };
    Error: {
      /** @description Error message for people. */
      message: string;
    };
    FinishProviderLoginRequest: {
      /** @description The value of `device` in the response to an earlier login of this browser. */
      device?: string;
      /** @description The query of the callback, unchanged and without its question mark. */
      parameters: string;
      /** @description `transaction` of the response that began the login. */
      transaction: string;
    };
    Follow: {
      /**
       * Format: uri
       * @description URL of the avatar picture; null if there is none to show.
       */
      avatar: string | null;
      /** Format: date-time */
      followed_at: string;
      username: string;
    };
    FollowedTag: {
      /** Format: date-time */
      followed_at: string;
      name: string;
    };
    FollowedTagList: {
      data: components['schemas']['FollowedTag'][];
      links: components['schemas']['PageLinks'];
      meta: components['schemas']['PageMeta'];
    };
    FollowList: {
      data: components['schemas']['Follow'][];
      links: components['schemas']['PageLinks'];
      meta: components['schemas']['PageMeta'];
    };
    HashBanned: {
      /** @description The banned hash; the existing entry if it was already banned. */
      banned_hash: components['schemas']['BannedHash'];
      message: string;
    };
    Identity: {
      /** Format: date-time */
      created_at: string;
      id: number;
      /**
       * Format: date-time
       * @description The last login with it.
       */
      last_used_at: string | null;
      /** @description The name of the provider; null if the site no longer has it. */
      provider: string | null;
      title: string;
    };
    IdentityList: {
      data: components['schemas']['Identity'][];
    };
    InsufficientStorage: {
      /**
       * @description `quota_bytes`: the account or guest has no bytes left. `quota_files`: it has reached its maximum number of files. `storage_full`: the server accepts no uploads at the moment.
       * @enum {string}
       */
      code: 'quota_bytes' | 'quota_files' | 'storage_full';
      message: string;
    };
    InvalidFields: {
      /** @description Error messages by field name. The key for an item of a list is `<field>.<index>`. */
      errors: {
        [key: string]: string[];
      };
      /** @description The first error message, and the number of further ones. */
      message: string;
    };
    Invite: {
      /** Format: date-time */
      created_at: string;
      /** @description Username of the account that created it. */
      created_by: string;
      /** Format: date-time */
      expires_at: string;
      id: number;
      note: string | null;
      /** @enum {string} */
      state: 'open' | 'used' | 'expired' | 'revoked';
      /** @description Number of accounts that have been created with it. */
      used: number;
      /** @description Total number of accounts that can be created with it. */
      uses: number;
    };
    InviteAnswer: {
      data: components['schemas']['Invite'];
    };
    InviteList: {
      data: components['schemas']['Invite'][];
      links: components['schemas']['PageLinks'];
      meta: components['schemas']['PageMeta'];
    };
    LargeAccount: {
      /** @description Whether it is a guest. */
      guest: boolean;
      storage: components['schemas']['StorageUse'];
      username: string;
      /** @description Bytes of the variants, which don’t count for quotas. */
      variant_bytes: number;
    };
    LinkProviderRequest: {
      /** @description Required if the account has a password. Otherwise you must have logged in within the last 10 minutes. */
      current_password?: string;
      /** @description The `name` of a provider in `GET /site`. */
      provider: string;
    };
    ListedPost: {
      /** @description Shown to the owner only: the value of the query parameter `key` that opens a private post. */
      access_key?: string | null;
      /** @description Number of comments that are not deleted. */
      comment_count: number;
      /** Format: date-time */
      created_at: string;
      description: string | null;
      /** @description Preview; null if there is none to show. */
      first_media: components['schemas']['Media'] | null;
      id: number;
      /** @description Whether the caller has downvoted the post. */
      isDownvotedByUser: boolean;
      /** @description Whether the caller has upvoted the post. */
      isUpvotedByUser: boolean;
      media_count: number;
      /** @enum {string} */
      moderation_status: 'approved' | 'pending' | 'nsfw' | 'rejected';
      /** Format: uri */
      page_url: string;
      /**
       * @description What a `pending` post waits for: the automatic check of its media, or a moderator. Null if it isn’t pending or has no media.
       * @enum {string|null}
       */
      pending_on: 'machine' | 'person' | null;
      /** @description Shown to moderators only: increases with each change of title, description, tags or media. Send it with a ruling. */
      revision?: number;
      /** @description Upvotes minus downvotes. */
      score: number;
      slug: string;
      tags: string[];
      title: string | null;
      /** Format: date-time */
      updated_at: string;
      /** @description Null for guest posts. */
      user: components['schemas']['Author'] | null;
      /** @description Number of views by everyone except the owner; may lag by a few seconds. */
      view_count: number;
      /**
       * @description Shown to the owner only.
       * @enum {string}
       */
      visibility?: 'public' | 'hidden' | 'private';
    };
    LoginRequest: {
      /** @description The value of `device` in the response to an earlier login of this browser. */
      device?: string;
      /** @description The username, or the verified email address of the account, ignoring case. */
      login: string;
      password: string;
    };
    Logout: {
      message: string;
      /**
       * Format: uri
       * @description The address at which the user can also log out at the provider that opened this session; null if there is none.
       */
      provider_logout_url: string | null;
    };
    Me: {
      data: components['schemas']['Account'];
      /** @description Whether this account must have a second factor and has none. If the site requires second factors only of moderators and admins, routes for staff then give 403. If it requires them of everyone, almost all routes give 403, except for `/me/security`, `/me/authenticator-app`, `/me/passkeys`, `/sessions` and `POST /auth/logout`. */
      second_factor_missing: boolean;
      /** @description The token of this request, with its scopes and when it expires. */
      token: components['schemas']['CurrentToken'];
      /** @description Number of unread notifications. */
      unread_notifications: number;
    };
    Media: {
      /** @description Describes the picture for people who cannot see it. */
      alt_text: string | null;
      /** @description Whether this is an image whose size variants are animated. False for files with several pages and for animations in JPEG XL: their variants are stills. */
      animated: boolean;
      /** Format: date-time */
      created_at: string;
      description: string | null;
      /** @description Duration in seconds; null for images. */
      duration: number | null;
      /** @description File extension of the original. */
      ext: string;
      /** @description Storage filename, equal to the slug. */
      filename: string;
      /** @description Height in pixels, as displayed. */
      height: number;
      id: number;
      /** @description Shown to the owner only: whether the owner marked the media item as adult content. A moderator’s ruling ends the mark. */
      is_nsfw?: boolean;
      /** @description Shown to the owner only: whether feeds show the media item, at least with `nsfw=1`. */
      listed?: boolean;
      /** @enum {string} */
      moderation_status: 'approved' | 'pending' | 'nsfw' | 'rejected';
      /** Format: uri */
      page_url: string;
      /**
       * @description What a `pending` media item waits for: the automatic check, which takes seconds, or a moderator. Null if it isn’t pending.
       * @enum {string|null}
       */
      pending_on: 'machine' | 'person' | null;
      /** @description True once every size variant exists. */
      processed: boolean;
      /** @description Why processing failed permanently; null otherwise. */
      processing_error: string | null;
      /** @description Percent of the processing that is done; null if it is not known, and once `processed`. */
      processing_progress: number | null;
      /** @description Size of the served original in bytes. */
      size: number;
      slug: string;
      tags: string[];
      /** @description ThumbHash in base64; null until processed. */
      thumbhash: string | null;
      title: string | null;
      /** @description MIME type, detected from the content. */
      type: string;
      /** @description Shown to the owner only: whether the media item is kept out of feeds, tags, search and profiles until it is in a public post. */
      unlisted?: boolean;
      urls: components['schemas']['MediaUrls'];
      /** @description Null for guest uploads. */
      user: components['schemas']['Author'] | null;
      /** @description Width in pixels, as displayed. */
      width: number;
    };
    MediaDeletedEvent: {
      data: components['schemas']['MediaDeletedEventData'];
      /**
       * Format: date-time
       * @description When the event happened.
       */
      timestamp: string;
      /** @enum {string} */
      type: 'media.deleted';
    };
    MediaDeletedEventData: {
      slug: string;
    };
    MediaDetails: {
      /** @description Describes the picture for people who cannot see it. */
      alt_text: string | null;
      /** @description Whether this is an image whose size variants are animated. False for files with several pages and for animations in JPEG XL: their variants are stills. */
      animated: boolean;
      /** Format: date-time */
      created_at: string;
      description: string | null;
      /** @description Duration in seconds; null for images. */
      duration: number | null;
      /** @description File extension of the original. */
      ext: string;
      /** @description Storage filename, equal to the slug. */
      filename: string;
      /** @description Height in pixels, as displayed. */
      height: number;
      id: number;
      /** @description Shown to the owner only: whether the owner marked the media item as adult content. A moderator’s ruling ends the mark. */
      is_nsfw?: boolean;
      /** @description Shown to the owner only: whether feeds show the media item, at least with `nsfw=1`. */
      listed?: boolean;
      /** @enum {string} */
      moderation_status: 'approved' | 'pending' | 'nsfw' | 'rejected';
      /** Format: uri */
      page_url: string;
      /**
       * @description What a `pending` media item waits for: the automatic check, which takes seconds, or a moderator. Null if it isn’t pending.
       * @enum {string|null}
       */
      pending_on: 'machine' | 'person' | null;
      /** @description The latest post with the media item: for its owner any, for others one that feeds show. */
      post: components['schemas']['PostName'] | null;
      /** @description True once every size variant exists. */
      processed: boolean;
      /** @description Why processing failed permanently; null otherwise. */
      processing_error: string | null;
      /** @description Percent of the processing that is done; null if it is not known, and once `processed`. */
      processing_progress: number | null;
      /** @description Size of the served original in bytes. */
      size: number;
      slug: string;
      tags: string[];
      /** @description ThumbHash in base64; null until processed. */
      thumbhash: string | null;
      title: string | null;
      /** @description MIME type, detected from the content. */
      type: string;
      /** @description Shown to the owner only: whether the media item is kept out of feeds, tags, search and profiles until it is in a public post. */
      unlisted?: boolean;
      urls: components['schemas']['MediaUrls'];
      /** @description Null for guest uploads. */
      user: components['schemas']['Author'] | null;
      /** @description Width in pixels, as displayed. */
      width: number;
    };
    MediaDetailsAnswer: {
      data: components['schemas']['MediaDetails'];
    };
    MediaFailedEvent: {
      data: components['schemas']['MediaFailedEventData'];
      /**
       * Format: date-time
       * @description When the event happened.
       */
      timestamp: string;
      /** @enum {string} */
      type: 'media.failed';
    };
    MediaFailedEventData: {
      /** @description Why it cannot be processed. */
      reason: string;
      slug: string;
    };
    MediaList: {
      data: components['schemas']['Media'][];
      links: components['schemas']['PageLinks'];
      meta: components['schemas']['PageMeta'];
    };
    MediaModeratedEvent: {
      data: components['schemas']['MediaModeratedEventData'];
      /**
       * Format: date-time
       * @description When the event happened.
       */
      timestamp: string;
      /** @enum {string} */
      type: 'media.moderated';
    };
    MediaModeratedEventData: {
      /** @enum {string} */
      from: 'approved' | 'pending' | 'nsfw' | 'rejected';
      slug: string;
      /** @enum {string} */
      to: 'approved' | 'pending' | 'nsfw' | 'rejected';
    };
    MediaProcessedEvent: {
      data: components['schemas']['MediaProcessedEventData'];
      /**
       * Format: date-time
       * @description When the event happened.
       */
      timestamp: string;
      /** @enum {string} */
      type: 'media.processed';
    };
    MediaProcessedEventData: {
      /** @description Duration in seconds; null for images. */
      duration: number | null;
      /** @description Height in pixels, as displayed. */
      height: number;
      /** @enum {string} */
      kind: 'image' | 'video';
      slug: string;
      /** @description Width in pixels, as displayed. */
      width: number;
    };
    MediaRuled: {
      /** @description Hashes that `ban` added; hashes that were already banned are not included. To undo the ban, delete these. */
      banned_hashes: components['schemas']['BannedHash'][];
      media: components['schemas']['Media'];
      message: string;
    };
    MediaUploadedEvent: {
      data: components['schemas']['MediaUploadedEventData'];
      /**
       * Format: date-time
       * @description When the event happened.
       */
      timestamp: string;
      /** @enum {string} */
      type: 'media.uploaded';
    };
    MediaUploadedEventData: {
      /** @description Size of the stored original. */
      bytes: number;
      /** @description Duration in seconds; null for images. */
      duration: number | null;
      /** @description Format, detected from the content. */
      format: string;
      /** @description Pictures in an image file; 1 for videos. */
      frames: number;
      /** @description Height in pixels, as displayed. */
      height: number;
      /** @enum {string} */
      kind: 'image' | 'video';
      mime: string;
      slug: string;
      /** @description Width in pixels, as displayed. */
      width: number;
    };
    MediaUrls: {
      /** Format: uri */
      lg: string;
      /**
       * Format: uri
       * @description An animation as a silent MP4, at most 1280 pixels long, for players that repeat it. Only animations that are opaque and repeat without end have it, if it has at least a fifth fewer bytes than the size `lg`; those that an older release processed have none.
       */
      loop?: string;
      /** Format: uri */
      md: string;
      /**
       * Format: uri
       * @description A size between `md` and `lg` (960 pixels). Only pictures that are larger and not animated have it; those that an older release processed have none.
       */
      ml?: string;
      /** Format: uri */
      original: string;
      /** Format: uri */
      sm: string;
      /**
       * Format: uri
       * @description The first frame of an animation as a picture: JPEG, or WebP if it is translucent, with a longest edge of at most 640 pixels. Present only for animations that are processed, except for those that an older release processed.
       */
      still?: string;
      /** Format: uri */
      thumb: string;
      /** Format: uri */
      xl: string;
      /** Format: uri */
      xs: string;
    };
    Message: {
      message: string;
    };
    ModeratedAccount: {
      /** Format: date-time */
      created_at: string;
      /** @description All media of the account, listed or not. */
      media_count: number;
      /** @description All posts of the account, regardless of their visibility. */
      post_count: number;
      /** @enum {string} */
      role: 'user' | 'moderator' | 'admin';
      /** @enum {string} */
      state: 'active' | 'limited' | 'suspended';
      /** @description Null while the account is active. */
      state_reason: string | null;
      /**
       * Format: date-time
       * @description When the account becomes active again; null if there is no such date.
       */
      state_until: string | null;
      username: string;
    };
    ModeratedAccountAnswer: {
      data: components['schemas']['ModeratedAccount'];
    };
    ModerationRulingRequest: {
      /** @description Also bans the hashes of the files and their pictures. Allowed only with `rejected`. */
      ban?: boolean;
      /** @description Stored in the log of decisions. */
      reason: string;
      /**
       * @description `pending` undoes earlier rulings: a media item waits in the queue again, and a post’s status is computed from its media and the owner’s `is_nsfw`. The reports that the caller’s last ruling closed are open again.
       * @enum {string}
       */
      status: 'approved' | 'nsfw' | 'rejected' | 'pending';
    };
    ModerationScores: {
      /** @description Id of the banned hash that a picture matched. */
      banned_hash_id?: number;
      /** @description Class scores of the worst picture. */
      classes?: components['schemas']['ClassScores'];
      /** @description Number of bits, of 256, in which the picture’s hash differs from the banned one. */
      distance?: number;
      /** @description Number of pictures that were classified. */
      frames?: number;
      /** @description Probability that the worst picture is unsafe. */
      unsafe?: number;
      /** @description Index of the worst picture, starting at 0. */
      worst_frame?: number;
    };
    Neighbours: {
      /** @description Null at the end of the feed. */
      next: components['schemas']['PostName'] | null;
      /** @description Null at the beginning of the feed. */
      previous: components['schemas']['PostName'] | null;
    };
    NeighboursAnswer: {
      data: components['schemas']['Neighbours'];
    };
    NewApp: {
      message: string;
      /** @description In base32, for typing it into the app; shown only in this response. */
      secret: string;
      /** @description For a QR code; shown only in this response. */
      uri: string;
    };
    NewInvite: {
      /** @description The code in the link, for `POST /auth/register`; shown only in this response. */
      code: string;
      invite: components['schemas']['Invite'];
      message: string;
      /**
       * Format: uri
       * @description The link to send; shown only in this response.
       */
      url: string;
    };
    NewInviteRequest: {
      /**
       * Format: date-time
       * @description When the invite ends; a week from now by default, at most a year from now.
       */
      expires_at?: string;
      /** @description A note about the purpose of the invite. Only its creator and staff see it. */
      note?: string | null;
      /**
       * @description How many accounts can be created with it. Members can allow at most 10.
       * @default 1
       */
      uses: number;
    };
    NewToken: {
      api_token: components['schemas']['ApiToken'];
      message: string;
      /** @description The secret; shown only in this response. */
      token: string;
    };
    NewWebhook: {
      message: string;
      /** @description The secret that signs deliveries; shown only in this response. */
      secret: string;
      webhook: components['schemas']['Webhook'];
    };
    Notification: {
      comment: components['schemas']['NotifiedComment'] | null;
      /** Format: date-time */
      created_at: string;
      id: number;
      /**
       * @description `comment`: a comment on your post. `reply`: a reply to your comment. `mention`: a comment or post names you. `follow`: a new follower. `post`: a new post of somebody whom you follow. `moderation`: a moderator or the automatic check has decided on your post or media item. `account`: staff have changed your account.
       * @enum {string}
       */
      kind: 'comment' | 'reply' | 'mention' | 'follow' | 'post' | 'moderation' | 'account';
      media: components['schemas']['NotifiedMedia'] | null;
      /** @description For `account`: what has changed. */
      message: string | null;
      /**
       * @description For `moderation`: the status that was decided.
       * @enum {string|null}
       */
      moderation_status: 'approved' | 'pending' | 'nsfw' | 'rejected' | null;
      /** @description Null also if the post is no longer visible to you; `comment` is then null too. */
      post: components['schemas']['NotifiedPost'] | null;
      read: boolean;
      /** @description The user who caused it; null for moderation, changes of the account, and deleted accounts. */
      user: components['schemas']['Author'] | null;
    };
    NotificationList: {
      data: components['schemas']['Notification'][];
      links: components['schemas']['PageLinks'];
      meta: components['schemas']['PageMeta'];
      /** @description Number of all unread notifications. */
      unread: number;
    };
    NotificationSettings: {
      /** @description Comments on your posts. */
      comment: boolean;
      /** @description New followers. */
      follow: boolean;
      /**
       * @description How often unread notifications are sent to your verified email address, at most.
       * @enum {string}
       */
      mail: 'never' | 'hourly' | 'daily';
      /** @description Comments and posts that name you. */
      mention: boolean;
      /** @description Results of moderation on your posts and media. */
      moderation: boolean;
      /** @description New posts of people whom you follow. */
      post: boolean;
      /** @description Replies to your comments. */
      reply: boolean;
    };
    NotificationSettingsAnswer: {
      data: components['schemas']['NotificationSettings'];
    };
    NotificationSettingsRequest: {
      /** @description Comments on your posts. */
      comment?: boolean;
      /** @description New followers. */
      follow?: boolean;
      /**
       * @description How often unread notifications are sent to your verified email address, at most.
       * @enum {string}
       */
      mail?: 'never' | 'hourly' | 'daily';
      /** @description Comments and posts that name you with @ and your username. */
      mention?: boolean;
      /** @description Results of moderation on your posts and media. */
      moderation?: boolean;
      /** @description New posts of people whom you follow. Off unless you turn it on. */
      post?: boolean;
      /** @description Replies to your comments. */
      reply?: boolean;
    };
    NotifiedComment: {
      content: string;
      id: number;
    };
    NotifiedMedia: {
      slug: string;
    };
    NotifiedPost: {
      slug: string;
      title: string | null;
    };
    OpenSession: {
      /** Format: date-time */
      created_at: string;
      /** @description Whether this is the session of the request. */
      current: boolean;
      /** @description Browser and operating system that opened the session; null if unknown. */
      device: string | null;
      /**
       * Format: date-time
       * @description Each use of the session extends it.
       */
      expires_at: string;
      id: number;
      /**
       * Format: date-time
       * @description Accurate to five minutes.
       */
      last_used_at: string;
    };
    OpenSessionList: {
      data: components['schemas']['OpenSession'][];
    };
    OutboxState: {
      /** @description Null if there are no waiting items. */
      oldest_seconds: number | null;
      /** @description Counted up to 10,000. */
      waiting: number;
    };
    OwnReport: {
      /** Format: date-time */
      created_at: string;
      details: string | null;
      id: number;
      /** @enum {string} */
      reason: 'spam' | 'abuse' | 'nsfw' | 'illegal' | 'copyright' | 'other';
      /** @description Slug of a media item or a post, id of a comment, or a username. */
      target: string;
      /** @enum {string} */
      type: 'media' | 'post' | 'comment' | 'user';
    };
    OwnReportAnswer: {
      data: components['schemas']['OwnReport'];
    };
    PageLinks: {
      /** Format: uri */
      first: string;
      /** Format: uri */
      last: string;
      /** Format: uri */
      next: string | null;
      /** Format: uri */
      prev: string | null;
    };
    PageMeta: {
      current_page: number;
      /** @description Position of the first item; null on an empty page. */
      from: number | null;
      /** @description Number of the last page; 1 if the list is empty. */
      last_page: number;
      /**
       * Format: uri
       * @description URL of the list without query parameters.
       */
      path: string;
      per_page: number;
      /** @description Position of the last item; null on an empty page. */
      to: number | null;
      /** @description Number of items in the whole list. */
      total: number;
    };
    Passkey: {
      /**
       * Format: date-time
       * @description When a copy of the passkey was detected, which disabled the passkey; null otherwise.
       */
      cloned_at: string | null;
      /** Format: date-time */
      created_at: string;
      id: number;
      /** Format: date-time */
      last_used_at: string | null;
      name: string;
    };
    PasskeyAnswer: {
      data: components['schemas']['Passkey'];
    };
    PasskeyLoginRequest: {
      /** @description The value of `device` in the response to an earlier login of this browser. */
      device?: string;
      /** @description `response.authenticatorData` */
      passkey_authenticator_data: string;
      /** @description `response.clientDataJSON` */
      passkey_client_data: string;
      /** @description The `id` of the credential. */
      passkey_id: string;
      /** @description `response.signature` */
      passkey_signature: string;
    };
    PasskeyOptions: {
      /** @description For `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` (WebAuthn level 3). Valid once, for five minutes. */
      options: {
        [key: string]: unknown;
      };
    };
    PasswordResetRequest: {
      /** @description The username, or the verified email address of the account, ignoring case. */
      login: string;
    };
    PastLogin: {
      /** @description IPv4 address, or the /64 network of an IPv6 address. */
      address: string;
      /** Format: date-time */
      created_at: string;
      /** @description Browser and operating system; null if unknown. */
      device: string | null;
      /** @description Whether the device had logged in to the account before. */
      known_device: boolean;
      /** @enum {string} */
      method: 'registration' | 'password' | 'provider' | 'passkey' | 'reset';
      /**
       * @description The second factor; null if none was required.
       * @enum {string|null}
       */
      second_factor: 'app' | 'recovery-code' | 'passkey' | null;
    };
    PastLoginList: {
      data: components['schemas']['PastLogin'][];
    };
    PendingLoginRequest: {
      /** @description The `pending_login` of the response to the login. */
      pending_login: string;
    };
    Person: {
      /** @description Whether the account waits for the decision on its application. */
      applied: boolean;
      /** Format: date-time */
      created_at: string;
      /** Format: email */
      email: string | null;
      /** @enum {string} */
      role: 'user' | 'moderator' | 'admin';
      /** @enum {string} */
      state: 'active' | 'limited' | 'suspended';
      username: string;
    };
    PersonChanged: {
      message: string;
      user: components['schemas']['PersonDetail'];
    };
    PersonDetail: {
      /** @description Whether the account waits for the decision on its application. */
      applied: boolean;
      /** Format: date-time */
      created_at: string;
      /** Format: email */
      email: string | null;
      follower_count: number;
      /**
       * Format: date-time
       * @description When a session or API token was last used, accurate to five minutes; null if never.
       */
      last_used_at: string | null;
      media_count: number;
      post_count: number;
      /** @description The quota of bytes that staff have set; null: the default of the site applies. */
      quota_bytes: number | null;
      /** @description As `quota_bytes`, for the number of files. */
      quota_files: number | null;
      /** @enum {string} */
      role: 'user' | 'moderator' | 'admin';
      /** @description Whether the account has an authenticator app or a passkey. */
      second_factor: boolean;
      /** @description Number of open sessions. */
      session_count: number;
      /** @enum {string} */
      state: 'active' | 'limited' | 'suspended';
      /** @description Why the account is restricted. */
      state_reason: string | null;
      /**
       * Format: date-time
       * @description When the account becomes active again; null if there is no such date.
       */
      state_until: string | null;
      /** @description How much the account stores, and how much it may store. */
      storage: components['schemas']['StorageUse'];
      /** @description Number of API tokens. */
      token_count: number;
      username: string;
    };
    PersonDetailAnswer: {
      data: components['schemas']['PersonDetail'];
    };
    PersonList: {
      data: components['schemas']['Person'][];
      links: components['schemas']['PageLinks'];
      meta: components['schemas']['PageMeta'];
    };
    Post: {
      /** @description Shown to the owner only: the value of the query parameter `key` that opens a private post. */
      access_key?: string | null;
      /** @description Number of comments that are not deleted. */
      comment_count: number;
      /** Format: date-time */
      created_at: string;
      description: string | null;
      id: number;
      /** @description Whether the caller has downvoted the post. */
      isDownvotedByUser: boolean;
      /** @description Whether the caller has upvoted the post. */
      isUpvotedByUser: boolean;
      /** @description Whether feeds show the post, at least with `nsfw=1`. Search engines should not index posts that are not listed. */
      listed: boolean;
      media: components['schemas']['Media'][];
      media_count: number;
      /** @enum {string} */
      moderation_status: 'approved' | 'pending' | 'nsfw' | 'rejected';
      /** Format: uri */
      page_url: string;
      /**
       * @description What a `pending` post waits for: the automatic check of its media, or a moderator. Null if it isn’t pending or has no media.
       * @enum {string|null}
       */
      pending_on: 'machine' | 'person' | null;
      /** @description Shown to moderators only: increases with each change of title, description, tags or media. Send it with a ruling. */
      revision?: number;
      /** @description Upvotes minus downvotes. */
      score: number;
      slug: string;
      tags: string[];
      title: string | null;
      /** Format: date-time */
      updated_at: string;
      /** @description Null for guest posts. */
      user: components['schemas']['Author'] | null;
      /** @description Number of views by everyone except the owner; may lag by a few seconds. */
      view_count: number;
      /**
       * @description Shown to the owner only.
       * @enum {string}
       */
      visibility?: 'public' | 'hidden' | 'private';
    };
    PostAnswer: {
      data: components['schemas']['Post'];
      links: components['schemas']['PageLinks'];
      meta: components['schemas']['PageMeta'];
    };
    PostCreated: {
      message: string;
      post: components['schemas']['CreatedPost'];
    };
    PostCreatedEvent: {
      data: components['schemas']['PostCreatedEventData'];
      /**
       * Format: date-time
       * @description When the event happened.
       */
      timestamp: string;
      /** @enum {string} */
      type: 'post.created';
    };
    PostCreatedEventData: {
      /** @enum {string} */
      moderation_status: 'approved' | 'pending' | 'nsfw' | 'rejected';
      post_id: number;
      slug: string;
      /** @enum {string} */
      visibility: 'public' | 'hidden' | 'private';
    };
    PostDeletedEvent: {
      data: components['schemas']['PostDeletedEventData'];
      /**
       * Format: date-time
       * @description When the event happened.
       */
      timestamp: string;
      /** @enum {string} */
      type: 'post.deleted';
    };
    PostDeletedEventData: {
      post_id: number;
      slug: string;
    };
    PostList: {
      data: components['schemas']['ListedPost'][];
      links: components['schemas']['PageLinks'];
      meta: components['schemas']['PageMeta'];
    };
    PostName: {
      slug: string;
      title: string | null;
    };
    PostRuled: {
      /** @description Hashes that `ban` added; hashes that were already banned are not included. To undo the ban, delete these. */
      banned_hashes: components['schemas']['BannedHash'][];
      message: string;
      post: components['schemas']['ListedPost'];
    };
    PostRulingRequest: {
      /** @description Also bans the hashes of the files and their pictures. Allowed only with `rejected`. */
      ban?: boolean;
      /** @description Stored in the log of decisions. */
      reason: string;
      /** @description The `revision` of the post that the moderator has read. The response is 409 if the post has changed since then. Required for `approved` and `nsfw` once the post has changed (from revision 2 on). */
      revision?: number;
      /**
       * @description `pending` undoes earlier rulings: a media item waits in the queue again, and a post’s status is computed from its media and the owner’s `is_nsfw`. The reports that the caller’s last ruling closed are open again.
       * @enum {string}
       */
      status: 'approved' | 'nsfw' | 'rejected' | 'pending';
    };
    PostStatistics: {
      /** @description The latest day first. */
      days: components['schemas']['DayViews'][];
      /** @description Sites with links to the post; the most views first. */
      referrers: components['schemas']['Referrer'][];
    };
    PostStatisticsAnswer: {
      data: components['schemas']['PostStatistics'];
    };
    PostUpdated: {
      /** @description Present if the post is private. */
      access_key?: string;
      message: string;
      /** @enum {string} */
      visibility: 'public' | 'hidden' | 'private';
    };
    PostUpdatedEvent: {
      data: components['schemas']['PostUpdatedEventData'];
      /**
       * Format: date-time
       * @description When the event happened.
       */
      timestamp: string;
      /** @enum {string} */
      type: 'post.updated';
    };
    PostUpdatedEventData: {
      /** @description Names of the fields that have changed. */
      changed: string[];
      /** @enum {string} */
      moderation_status: 'approved' | 'pending' | 'nsfw' | 'rejected';
      post_id: number;
      slug: string;
      /** @enum {string} */
      visibility: 'public' | 'hidden' | 'private';
    };
    ProcessingErrors: {
      count: number;
      reason: string;
    };
    ProofChallenge: {
      parameters: components['schemas']['ProofParameters'];
      /** @description Hexadecimal. */
      signature: string;
    };
    ProofChallengeAnswer: {
      data: components['schemas']['ProofChallenge'];
    };
    ProofData: {
      /** @description The number to find is smaller than this. */
      difficulty: number;
      /** @enum {string} */
      purpose: 'register' | 'apply' | 'guest' | 'report';
    };
    ProofParameters: {
      /** @enum {string} */
      algorithm: 'SHA-256';
      /** @description How often the hash function is applied. */
      cost: number;
      data: components['schemas']['ProofData'];
      /** @description When the challenge ends, in seconds since 1970. */
      expiresAt: number;
      keyLength: number;
      /** @description How the hash must begin, in hexadecimal. */
      keyPrefix: string;
      /** @description Hexadecimal. */
      nonce: string;
      /** @description Hexadecimal. */
      salt: string;
    };
    ProofRequest: {
      /** @description A code of the authenticator app or a recovery code, instead of the password. */
      code?: string;
      /** @description Your password. Required unless `code` is sent. If your account has no password, you must have logged in within the last 10 minutes instead. */
      current_password?: string;
    };
    Provider: {
      /** @description Its name in paths. */
      name: string;
      title: string;
    };
    ProviderAccount: {
      /** @description Identifies this browser at its next login, as in the response of `POST /auth/login`. */
      device: string | null;
      /** Format: date-time */
      expires_at: string | null;
      message: string;
      /** @description Bearer token of the session; shown only in this response. Null while staff must decide on the application. */
      session: string | null;
      /** @description Null while staff must decide on the application. */
      user: components['schemas']['Account'] | null;
    };
    ProviderLogin: {
      /** @description What completes the login. */
      accepted: ('app' | 'recovery-code' | 'passkey')[];
      /** @description Identifies this browser at its next login, as in the response of `POST /auth/login`. */
      device: string | null;
      /**
       * Format: date-time
       * @description When `session`, `pending_login` or `registration` ends.
       */
      expires_at: string | null;
      message: string;
      /** @description Completes the login together with the second factor; shown only in this response. */
      pending_login: string | null;
      /** @description A secret with which a newcomer creates an account; shown only in this response. */
      registration: string | null;
      /**
       * @description `session`: logged in. `second-factor`: the account’s second factor is required; `pending_login` and `accepted` are those of `POST /auth/login`. `newcomer`: no account has this identity; `POST /auth/providers/{name}/register` creates one. `linked`: the account that began it can now log in with the provider.
       * @enum {string}
       */
      result: 'session' | 'second-factor' | 'newcomer' | 'linked';
      /** @description Bearer token of the session; shown only in this response. */
      session: string | null;
      /** @description What the provider calls the newcomer. The name may be taken. */
      suggested_username: string | null;
      user: components['schemas']['Account'] | null;
    };
    ProviderLoginStart: {
      /**
       * Format: date-time
       * @description Ten minutes from now.
       */
      expires_at: string;
      /** @description A secret with which this browser finishes the login; shown only in this response. */
      transaction: string;
      /**
       * Format: uri
       * @description Where the person logs in. The provider sends them back to the website.
       */
      url: string;
    };
    ProviderRegistrationRequest: {
      /** @description What the applicant writes to the staff, as for `POST /auth/apply`. */
      application?: string | null;
      /** @description The value of `device` in the response to an earlier login of this browser. */
      device?: string;
      /** @description The code of an invite, as for `POST /auth/register`. */
      invite?: string | null;
      /** @description `registration` of the response that finished the login. */
      registration: string;
      /** @description Must be unique, ignoring case. Some names are reserved. */
      username: string;
    };
    QueueItem: {
      comment?: components['schemas']['UserComment'];
      /** @description The ten newest open reports, newest first. */
      latest_reports: components['schemas']['Report'][];
      media?: components['schemas']['Media'];
      post?: components['schemas']['ListedPost'];
      /** @description Why the item is in the queue; each code occurs once. Codes are the reason codes of automation, `content_changed` (a change of the post ended a ruling on it) and the reasons of reports. */
      reasons: string[];
      /** @description Number of open reports. */
      reports: number;
      /** @description Scores of the latest automated decision; only media have them. */
      scores: components['schemas']['ModerationScores'] | null;
      /**
       * @description The name of the field that contains the item.
       * @enum {string}
       */
      type: 'media' | 'post' | 'comment' | 'user';
      user?: components['schemas']['Author'];
      /** Format: date-time */
      waiting_since: string;
    };
    QueueItemList: {
      data: components['schemas']['QueueItem'][];
      links: components['schemas']['PageLinks'];
      meta: components['schemas']['PageMeta'];
    };
    RecoveryCodes: {
      message: string;
      /** @description Ten codes, each for one login; shown only in this response. */
      recovery_codes: string[];
    };
    Referrer: {
      host: string;
      views: number;
    };
    RegisterRequest: {
      /** @description The value of `device` in the response to an earlier login of this browser. */
      device?: string;
      /**
       * Format: email
       * @description A link to verify it is sent to this address. Until it is used, the address need not be unique and cannot be used to log in.
       */
      email?: string | null;
      /** @description The code of an invite. Required if `registration` of `GET /site` is `invite` or `approval`. */
      invite?: string | null;
      /** @description Common and guessable passwords are refused. */
      password: string;
      /** @description The solution of a challenge of `GET /auth/proof-of-work?purpose=register`. Required if `proof_of_work` of `GET /site` is true, else ignored. */
      proof_of_work?: string | null;
      /** @description Must be unique, ignoring case. Some names are reserved. */
      username: string;
    };
    Relation: {
      /**
       * Format: uri
       * @description URL of the avatar picture; null if there is none to show.
       */
      avatar: string | null;
      /**
       * Format: date-time
       * @description Time since which the state applies.
       */
      since: string;
      username: string;
    };
    RelationList: {
      data: components['schemas']['Relation'][];
      links: components['schemas']['PageLinks'];
      meta: components['schemas']['PageMeta'];
    };
    RenamePasskeyRequest: {
      /** @description A name by which the owner recognises the passkey. */
      name: string;
    };
    ReplayRequest: {
      /** @description Id of one dead letter; absent or null: all dead letters of the queue. */
      id?: string | null;
      /** @description Name of the queue. */
      queue: string;
    };
    Report: {
      /** @description Where a visitor without an account can be answered. */
      contact: string | null;
      /** Format: date-time */
      created_at: string;
      details: string | null;
      /** @enum {string} */
      reason: 'spam' | 'abuse' | 'nsfw' | 'illegal' | 'copyright' | 'other';
      /** @description Username of the account that reported the item; null for a visitor without an account. */
      reporter: string | null;
    };
    ResetLink: {
      /**
       * Format: date-time
       * @description 30 minutes after creation.
       */
      expires_at: string;
      message: string;
      /**
       * Format: uri
       * @description Link with which a new password can be set once; shown only in this response.
       */
      url: string;
    };
    RoleRequest: {
      /** @description A code of the authenticator app or a recovery code, instead of the password. */
      code?: string;
      /** @description Your password. Required unless `code` is sent. If your account has no password, you must have logged in within the last 10 minutes instead. */
      current_password?: string;
      /** @enum {string} */
      role: 'user' | 'moderator' | 'admin';
    };
    SecondFactorRequired: {
      /** @description What completes the login: a code of the authenticator app, a recovery code, or a passkey. */
      accepted: ('app' | 'recovery-code' | 'passkey')[];
      /**
       * Format: date-time
       * @description Five minutes after the response.
       */
      expires_at: string;
      message: string;
      /** @description Completes this login, once, together with the second factor; shown only in this response. */
      pending_login: string;
    };
    Security: {
      /** @description Whether the account has an authenticator app. */
      authenticator_app: boolean;
      /** @description Whether authenticator apps can be used on this site. */
      authenticator_apps_available: boolean;
      /** @description Oldest first, at most 20. */
      passkeys: components['schemas']['Passkey'][];
      /** @description Recovery codes that are not used yet. */
      recovery_codes_left: number;
      /** @description Whether this site requires a second factor of the account. */
      required: boolean;
    };
    SecurityAnswer: {
      data: components['schemas']['Security'];
    };
    Session: {
      /** @description Send it as `device` with later logins: failed logins of a device that has logged in before are counted separately, and its logins cause no notification. */
      device: string;
      /**
       * Format: date-time
       * @description Each use of the session extends it, until a year after the login.
       */
      expires_at: string;
      message: string;
      /** @description Bearer token of the session; shown only in this response. */
      session: string;
      user: components['schemas']['Account'];
    };
    Setting: {
      /** @description The purpose of the setting, with its unit. */
      description: string;
      /** @description The replicas of the process that have this value: the host and the number of the process. */
      instances: string[];
      /** @description Name of the environment variable. */
      name: string;
      process: string;
      /** @description Whether its value is never shown. */
      secret: boolean;
      /** @description Whether it has a value, its default included. */
      set: boolean;
      /** @description Null for a secret. */
      value: string | null;
    };
    SettingList: {
      data: components['schemas']['Setting'][];
    };
    SingleTag: {
      /** @description Whether the caller follows this tag. */
      isFollowedByUser: boolean;
      /** @description Number of media that the feeds show; includes nsfw media with `nsfw=1`. */
      media_count: number;
      name: string;
      /** @description Number of posts that the feeds show; includes nsfw posts with `nsfw=1`. */
      post_count: number;
    };
    SingleTagAnswer: {
      data: components['schemas']['SingleTag'];
    };
    Site: {
      /** @description Whether visitors without an account can upload on the website. */
      guest_uploads: boolean;
      /**
       * @description Who can create invites: moderators and admins, or all members.
       * @enum {string}
       */
      invites_by: 'staff' | 'members';
      /** @description Whether people can log in and register with a password. */
      password_login: boolean;
      /** @description Whether registering, applying and becoming a guest need the field `proof_of_work`. */
      proof_of_work: boolean;
      /** @description The identity providers of the site. */
      providers: components['schemas']['Provider'][];
      /**
       * @description `open`: everyone can register. `approval`: people need an invite, or must apply (`POST /auth/apply`). `invite`: people need an invite. `closed`: nobody can register.
       * @enum {string}
       */
      registration: 'open' | 'approval' | 'invite' | 'closed';
      /** @description Whether the site sends mails. If not, addresses can’t be verified, and only the operator can help with a forgotten password. */
      sends_mail: boolean;
      /** @description Whether `POST /media/url` on the upload host fetches files from addresses. */
      upload_by_url: boolean;
    };
    SiteAnswer: {
      data: components['schemas']['Site'];
    };
    StartProviderLoginRequest: {
      /** @description If true, the provider asks the person to prove again who they are. Only such a login confirms sensitive changes of an account without a password. */
      fresh?: boolean;
    };
    StorageDay: {
      /** @description Bytes of originals added, minus those deleted. */
      bytes: number;
      /**
       * Format: date
       * @description In UTC.
       */
      day: string;
      /** @description Files added, minus files deleted. */
      files: number;
      /** @description Bytes of variants added, minus those deleted. */
      variant_bytes: number;
    };
    StorageOverview: {
      /** @description Bytes of the originals. */
      bytes: number;
      /** @description The largest total of bytes of originals and variants; uploads that would exceed it are refused. Null: no limit. */
      bytes_limit: number | null;
      /** @description The latest 90 days, oldest first, today last. For days before the first release with this page, all numbers are 0. */
      days: components['schemas']['StorageDay'][];
      /** @description Number of files, without their variants. */
      files: number;
      /** @description The same numbers for images and for videos. */
      kinds: components['schemas']['StoredKind'][];
      /** @description The 20 accounts and guests with the most bytes of originals, largest first. */
      largest_accounts: components['schemas']['LargeAccount'][];
      /** @description Bytes of the variants. */
      variant_bytes: number;
    };
    StorageOverviewAnswer: {
      data: components['schemas']['StorageOverview'];
    };
    StorageUse: {
      /** @description Bytes of the original files, as stored, without their variants. */
      bytes: number;
      /** @description Null: no limit. */
      bytes_limit: number | null;
      /** @description Number of files. */
      files: number;
      /** @description Null: no limit. */
      files_limit: number | null;
    };
    StoredKind: {
      /** @description Bytes of the originals. */
      bytes: number;
      /** @description Number of files, without their variants. */
      files: number;
      /** @enum {string} */
      kind: 'image' | 'video';
      /** @description Bytes of the variants. */
      variant_bytes: number;
    };
    Suggestions: {
      /** @description Tags that begin with the text, at most 4. */
      tags: components['schemas']['Tag'][];
      /** @description Titles of posts that begin with the text, then those in which a later word does, at most 4. */
      titles: string[];
      /** @description People, at most 4. */
      users: components['schemas']['Author'][];
    };
    SuggestionsAnswer: {
      data: components['schemas']['Suggestions'];
    };
    Tag: {
      /** @description Number of media that the feeds show; includes nsfw media with `nsfw=1`. */
      media_count: number;
      name: string;
      /** @description Number of posts that the feeds show; includes nsfw posts with `nsfw=1`. */
      post_count: number;
    };
    TagList: {
      data: components['schemas']['Tag'][];
      links: components['schemas']['PageLinks'];
      meta: components['schemas']['PageMeta'];
    };
    UnlinkProviderRequest: {
      /** @description Required if the account has a password. Otherwise you must have logged in within the last 10 minutes. */
      current_password?: string;
    };
    UpdateCollectionRequest: {
      /** @description Its new name. */
      name?: string;
      /**
       * @description `private`: only you see it. `hidden`: everyone who knows its slug does.
       * @enum {string}
       */
      visibility?: 'private' | 'hidden';
    };
    UpdateCommentRequest: {
      content: string;
    };
    UpdateMediaRequest: {
      /** @description Describes the picture for people who cannot see it. */
      alt_text?: string | null;
      description?: string | null;
      /** @description Marks the media item as adult content: when it is approved, its status becomes `nsfw`. `false` removes the mark, and the last decision of automation or a moderator sets the status again. */
      is_nsfw?: boolean;
      tags?: string[] | null;
      title?: string | null;
      /** @description If true, the media item is kept out of feeds, tags, search and profiles until it is in a public post. */
      unlisted?: boolean;
    };
    UpdateMeRequest: {
      /** @description Slug of one of your own images. */
      avatar?: string | null;
      bio?: string | null;
      /** @description A code of the authenticator app or a recovery code, instead of the password. */
      code?: string;
      /** @description Required if `email` changes, unless `code` is sent. An account without a password must have logged in within the last 10 minutes instead. */
      current_password?: string;
      /**
       * Format: email
       * @description Changing it requires `current_password`. A link to verify it is sent to the new address. The verified address stays in effect until the new one is verified, and gets a notice of the change; `null` removes both.
       */
      email?: string | null;
    };
    UpdatePostRequest: {
      description?: string | null;
      /** @description Marks the post as adult content. */
      is_nsfw?: boolean;
      /** @description Slugs or ids of all media of the post, in the desired order. */
      media_order?: (number | string)[];
      /** @description `true` replaces the access key of a private post: earlier links stop working. */
      new_access_key?: boolean;
      tags?: string[] | null;
      title?: string | null;
      /**
       * @description `private` generates an access key.
       * @enum {string}
       */
      visibility?: 'public' | 'hidden' | 'private';
    };
    UpdateWebhookRequest: {
      /** @description `false` pauses the webhook. `true` enables it again, whatever disabled it. */
      active?: boolean;
      /** @description Describes what the webhook is used for. */
      description?: string | null;
      /** @description The events to send. */
      events?: (
        | 'media.uploaded'
        | 'media.processed'
        | 'media.failed'
        | 'media.moderated'
        | 'media.deleted'
        | 'post.created'
        | 'post.updated'
        | 'post.deleted'
        | 'comment.created'
        | 'comment.updated'
        | 'comment.deleted'
        | 'user.followed'
      )[];
      /** @description An http or https address without user and password, on port 80, 443, 8080 or 8443. It must not lead to a private network. */
      url?: string;
    };
    UploadAnswer: {
      media: components['schemas']['Media'];
      message: string;
      /** @description Present if the upload created a post (`post=1`). */
      post?: components['schemas']['CreatedPost'];
    };
    UploadRequest: {
      /** @description Describes the picture for people who cannot see it. */
      alt_text?: string;
      description?: string;
      /**
       * Format: binary
       * @description An image or a video of at most 100 MB. The type is detected from the content.
       */
      file: string;
      /**
       * @description Marks the new post as adult content, or without `post=1` the media item: it then becomes `nsfw` if the automatic check would approve it.
       * @enum {string}
       */
      is_nsfw?: '0' | '1' | 'true' | 'false';
      /**
       * @description If true, a post with the file is created too, with the same title, description and tags. Either both are created or neither. Also requires the scope `write`; upload tickets are not accepted. Cannot be combined with `post_id`. If this part comes before the file, a token that may not create posts is refused before the file is sent.
       * @enum {string}
       */
      post?: '0' | '1' | 'true' | 'false';
      /** @description Slug or id of a post that belongs to the caller. The media item is added to it. */
      post_id?: string;
      /** @description Repeat the part for several tags; `tags[]` and `tags[0]` work too. */
      tags?: string[];
      title?: string;
      /**
       * @description If true, the media item is kept out of feeds, tags, search and profiles until it is in a public post.
       * @default false
       * @enum {string}
       */
      unlisted: 'true' | 'false';
      /**
       * @description Visibility of the new post; only with `post=1`. Default: `public`. `private` generates an access key.
       * @enum {string}
       */
      visibility?: 'public' | 'hidden' | 'private';
    };
    UploadTicket: {
      /**
       * Format: date-time
       * @description One hour after creation; use does not extend it.
       */
      expires_at: string;
      /** @description Bearer token of the guest that was created for this ticket. Present only if the request carried no token; shown only in this response. */
      guest_token?: string;
      message: string;
      /** @description How much the account or the guest stores, and how much it may store. */
      storage: components['schemas']['StorageUse'];
      /** @description Bearer token that only allows uploads; shown only in this response. */
      ticket: string;
    };
    UploadTicketRequest: {
      /** @description The solution of a challenge of `GET /auth/proof-of-work?purpose=guest`. Required if `proof_of_work` of `GET /site` is true, else ignored. */
      proof_of_work?: string | null;
    };
    UrlUploadRequest: {
      /** @description Describes the picture for people who cannot see it. */
      alt_text?: string;
      description?: string;
      /**
       * @description Marks the new post as adult content, or without `post=1` the media item: it then becomes `nsfw` if the automatic check would approve it.
       * @enum {string}
       */
      is_nsfw?: '0' | '1' | 'true' | 'false';
      /**
       * @description If true, a post with the file is created too, with the same title, description and tags. Either both are created or neither. Also requires the scope `write`; upload tickets are not accepted. Cannot be combined with `post_id`. If this part comes before the file, a token that may not create posts is refused before the file is sent.
       * @enum {string}
       */
      post?: '0' | '1' | 'true' | 'false';
      /** @description Slug or id of a post that belongs to the caller. The media item is added to it. */
      post_id?: string;
      /** @description Repeat the part for several tags; `tags[]` and `tags[0]` work too. */
      tags?: string[];
      title?: string;
      /**
       * @description If true, the media item is kept out of feeds, tags, search and profiles until it is in a public post.
       * @default false
       * @enum {string}
       */
      unlisted: 'true' | 'false';
      /** @description The http or https address of an image or a video of at most 100 MB. */
      url: string;
      /**
       * @description Visibility of the new post; only with `post=1`. Default: `public`. `private` generates an access key.
       * @enum {string}
       */
      visibility?: 'public' | 'hidden' | 'private';
    };
    User: {
      /**
       * Format: uri
       * @description URL of the avatar picture; null if there is none to show.
       */
      avatar: string | null;
      bio: string | null;
      /** Format: date-time */
      created_at: string;
      follower_count: number;
      following_count: number;
      /** @description Whether the caller blocks this account. */
      isBlockedByUser: boolean;
      /** @description Whether the caller follows this account. */
      isFollowedByUser: boolean;
      /** @description Whether the caller mutes this account. */
      isMutedByUser: boolean;
      /** @description Number of media that feeds show. */
      media_count: number;
      /** @description Number of posts that feeds show. */
      post_count: number;
      username: string;
    };
    UserAnswer: {
      data: components['schemas']['User'];
    };
    UserComment: {
      /** @description `[deleted]` if the comment is a tombstone. */
      content: string;
      /** Format: date-time */
      created_at: string;
      /**
       * Format: date-time
       * @description When its author last changed `content`; null if never, or if the comment is a tombstone.
       */
      edited_at: string | null;
      id: number;
      isDownvotedByUser: boolean;
      isUpvotedByUser: boolean;
      parent_id: number | null;
      post: components['schemas']['CommentedPost'];
      post_id: number;
      /** @description Number of direct replies. */
      replies_count: number;
      score: number;
      /** @description Null if the comment is a tombstone. */
      user: components['schemas']['Author'] | null;
      /** @description Null if the comment is a tombstone. */
      user_id: number | null;
    };
    UserCommentList: {
      data: components['schemas']['UserComment'][];
      links: components['schemas']['PageLinks'];
      meta: components['schemas']['PageMeta'];
    };
    UserFollowedEvent: {
      data: components['schemas']['UserFollowedEventData'];
      /**
       * Format: date-time
       * @description When the event happened.
       */
      timestamp: string;
      /** @enum {string} */
      type: 'user.followed';
    };
    UserFollowedEventData: {
      /** @description Who follows you. */
      username: string;
    };
    VerifyEmailRequest: {
      /** @description The code in the link. */
      code: string;
    };
    Vote: {
      /** @description Whether the caller’s vote is a downvote now. */
      isDownvotedByUser: boolean;
      /** @description Whether the caller’s vote is an upvote now. */
      isUpvotedByUser: boolean;
      message: string;
      /** @description Upvotes minus downvotes, including this vote. */
      score: number;
    };
    WaitingMedia: {
      count: number;
      /** @description `quick` or `long` work, or `behind` the files of other uploaders. */
      line: string;
      /** @description How long the oldest of them has waited. */
      oldest_seconds: number;
    };
    Webhook: {
      /** @description False if the webhook receives nothing; `disabled_reason` says why. */
      active: boolean;
      /** Format: date-time */
      created_at: string;
      description: string | null;
      /** Format: date-time */
      disabled_at: string | null;
      /**
       * @description `paused`: its owner paused it. `failing`: every attempt for five days failed. `gone`: the receiver responded with 410. `token_ended`: the API token that created the webhook, or last changed its address or enabled it, was revoked or has expired. `password_changed`: the password of the account was changed.
       * @enum {string|null}
       */
      disabled_reason: 'paused' | 'failing' | 'gone' | 'token_ended' | 'password_changed' | null;
      events: (
        | 'media.uploaded'
        | 'media.processed'
        | 'media.failed'
        | 'media.moderated'
        | 'media.deleted'
        | 'post.created'
        | 'post.updated'
        | 'post.deleted'
        | 'comment.created'
        | 'comment.updated'
        | 'comment.deleted'
        | 'user.followed'
      )[];
      /**
       * Format: date-time
       * @description The first failed attempt after the last successful one; null if the last one succeeded.
       */
      failing_since: string | null;
      id: number;
      /** Format: uri */
      url: string;
    };
    WebhookAnswer: {
      data: components['schemas']['Webhook'];
    };
    WebhookDelivery: {
      /** @description Attempts since it was created or last repeated. */
      attempts: number;
      /** Format: date-time */
      created_at: string;
      /** @description Why the latest attempt failed. */
      error: string | null;
      /** @enum {string} */
      event:
        | 'media.uploaded'
        | 'media.processed'
        | 'media.failed'
        | 'media.moderated'
        | 'media.deleted'
        | 'post.created'
        | 'post.updated'
        | 'post.deleted'
        | 'comment.created'
        | 'comment.updated'
        | 'comment.deleted'
        | 'user.followed'
        | 'webhook.test';
      /**
       * Format: uuid
       * @description The header `webhook-id`: the same in every attempt.
       */
      event_id: string;
      id: number;
      /** Format: date-time */
      last_attempt_at: string | null;
      /**
       * Format: date-time
       * @description Null if there are no further attempts.
       */
      next_attempt_at: string | null;
      payload: components['schemas']['WebhookPayload'];
      /** @description At most the first 1,024 bytes, read as UTF-8. */
      response_body: string | null;
      /** @description Status of the latest response; null if there was none. */
      response_status: number | null;
      /** @enum {string} */
      status: 'pending' | 'delivered' | 'failed';
      /** @description Duration of the latest attempt in milliseconds. */
      took_ms: number | null;
    };
    WebhookDeliveryAnswer: {
      data: components['schemas']['WebhookDelivery'];
    };
    WebhookDeliveryList: {
      data: components['schemas']['WebhookDelivery'][];
      links: components['schemas']['PageLinks'];
      meta: components['schemas']['PageMeta'];
    };
    WebhookDeliveryQueued: {
      delivery: components['schemas']['WebhookDelivery'];
      message: string;
    };
    WebhookList: {
      data: components['schemas']['Webhook'][];
    };
    WebhookPayload: {
      /** @description What happened; the fields depend on the type. */
      data: {
        [key: string]: unknown;
      };
      /**
       * Format: date-time
       * @description When the event happened.
       */
      timestamp: string;
      type: string;
    };
    WebhookTestEvent: {
      data: components['schemas']['WebhookTestEventData'];
      /**
       * Format: date-time
       * @description When the event happened.
       */
      timestamp: string;
      /** @enum {string} */
      type: 'webhook.test';
    };
    WebhookTestEventData: {
      webhook_id: number;
    };
    WebhookUpdated: {
      data: components['schemas']['Webhook'];
      message: string;
    };
    Work: {
      outbox: components['schemas']['OutboxState'];
      /** @description The most frequent errors of the latest 10,000 media that could not be processed. */
      processing_errors: components['schemas']['ProcessingErrors'][];
      queues: components['schemas']['BusQueue'][];
      waiting_media: components['schemas']['WaitingMedia'][];
    };
    WorkAnswer: {
      data: components['schemas']['Work'];
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}

export interface operations {
  listAuditLog: {
    parameters: {
      query?: {
        /** @description Only this action. */
        action?:
          | 'media.rule'
          | 'post.rule'
          | 'user.rule'
          | 'application.decide'
          | 'report.dismiss'
          | 'comment.delete'
          | 'hash.ban'
          | 'hash.unban'
          | 'invite.create'
          | 'invite.revoke'
          | 'user.create'
          | 'user.change_role'
          | 'user.change_quota'
          | 'user.reset_link'
          | 'user.remove_second_factor'
          | 'user.end_session'
          | 'user.end_sessions'
          | 'user.delete'
          | 'token.create'
          | 'token.revoke'
          | 'media.reprocess'
          | 'bus.replay'
          | 'bus.discard'
          | 'site.migrate'
          | 'site.seed_demo';
        /** @description Only actions of the account with this username. */
        actor?: string;
        /** @description Only entries at this time or later. */
        from?: string;
        /** @description Number of items per page. */
        limit?: number;
        /** @description `1`: only actions of the operator on the command line. */
        operator?: '0' | '1' | 'true' | 'false';
        /** @description Page number, starting at 1. */
        page?: number;
        /** @description Only entries about the username, slug, id or hash, matched ignoring case. */
        subject?: string;
        /** @description Only entries before this time. */
        to?: string;
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['AuditEntryList'];
        };
      };
    };
  };
  replayDeadLetters: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplayRequest'];
      };
    };
    responses: {
      202: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  listSettings: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['SettingList'];
        };
      };
    };
  };
  getStorage: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['StorageOverviewAnswer'];
        };
      };
    };
  };
  listPeople: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description Page number, starting at 1. */
        page?: number;
        /** @description The beginning of the username, or of the email address if it contains `@`, ignoring case. */
        q?: string;
        /** @description Only accounts with this role. */
        role?: 'user' | 'moderator' | 'admin';
        /** @description Only accounts in this state. */
        state?: 'active' | 'limited' | 'suspended';
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['PersonList'];
        };
      };
    };
  };
  getPerson: {
    parameters: {
      query?: never;
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['PersonDetailAnswer'];
        };
      };
    };
  };
  deletePerson: {
    parameters: {
      query?: never;
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeleteUserRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  changeAccountQuota: {
    parameters: {
      query?: never;
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AccountQuotaRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['AccountQuotaChanged'];
        };
      };
    };
  };
  createResetLink: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ProofRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['ResetLink'];
        };
      };
    };
  };
  changeRole: {
    parameters: {
      query?: never;
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RoleRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['PersonChanged'];
        };
      };
    };
  };
  removeSecondFactorsOf: {
    parameters: {
      query?: never;
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ProofRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  listSessionsOf: {
    parameters: {
      query?: never;
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['OpenSessionList'];
        };
      };
    };
  };
  endSessionsOf: {
    parameters: {
      query?: never;
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  endSessionOf: {
    parameters: {
      query?: never;
      path: {
        /** @description Numeric id of the item. */
        id: number;
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  listTokensOf: {
    parameters: {
      query?: never;
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['ApiTokenList'];
        };
      };
    };
  };
  revokeTokenOf: {
    parameters: {
      query?: never;
      path: {
        /** @description Numeric id of the item. */
        id: number;
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  getWork: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['WorkAnswer'];
        };
      };
    };
  };
  applyForAccount: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ApplyRequest'];
      };
    };
    responses: {
      202: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  login: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LoginRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
      202: {
        content: {
          'application/json': components['schemas']['SecondFactorRequired'];
        };
      };
    };
  };
  logout: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Logout'];
        };
      };
    };
  };
  loginWithPasskey: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PasskeyLoginRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
    };
  };
  getPasskeyLoginOptions: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['PasskeyOptions'];
        };
      };
    };
  };
  requestPasswordReset: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PasswordResetRequest'];
      };
    };
    responses: {
      202: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  completePasswordReset: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CompletePasswordResetRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  getProofOfWork: {
    parameters: {
      query?: {
        /** @description The request that the proof is for. */
        purpose?: 'register' | 'apply' | 'guest' | 'report';
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['ProofChallengeAnswer'];
        };
      };
    };
  };
  endSessionsByProvider: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The `name` of a provider in `GET /site`. */
        name: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BackchannelLogoutRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  finishProviderLogin: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The `name` of a provider in `GET /site`. */
        name: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['FinishProviderLoginRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['ProviderLogin'];
        };
      };
    };
  };
  registerWithProvider: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The `name` of a provider in `GET /site`. */
        name: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ProviderRegistrationRequest'];
      };
    };
    responses: {
      201: {
        content: {
          'application/json': components['schemas']['ProviderAccount'];
        };
      };
    };
  };
  startProviderLogin: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description The `name` of a provider in `GET /site`. */
        name: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StartProviderLoginRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['ProviderLoginStart'];
        };
      };
    };
  };
  register: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RegisterRequest'];
      };
    };
    responses: {
      201: {
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
    };
  };
  completeLogin: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CompleteLoginRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
    };
  };
  getSecondFactorOptions: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PendingLoginRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['PasskeyOptions'];
        };
      };
    };
  };
  verifyEmail: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VerifyEmailRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  getCollection: {
    parameters: {
      query?: never;
      path: {
        /** @description Slug of the collection, or `saved` for your saved posts. */
        collection: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['CollectionAnswer'];
        };
      };
    };
  };
  deleteCollection: {
    parameters: {
      query?: never;
      path: {
        /** @description Slug of the collection, or `saved` for your saved posts. */
        collection: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  updateCollection: {
    parameters: {
      query?: never;
      path: {
        /** @description Slug of the collection, or `saved` for your saved posts. */
        collection: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateCollectionRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['CollectionAnswer'];
        };
      };
    };
  };
  listCollectionPosts: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page number, starting at 1. */
        page?: number;
      };
      path: {
        /** @description Slug of the collection, or `saved` for your saved posts. */
        collection: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['PostList'];
        };
      };
    };
  };
  savePost: {
    parameters: {
      query?: never;
      path: {
        /** @description Slug of the collection, or `saved` for your saved posts. */
        collection: string;
        /** @description Slug or id of the post. */
        post: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  unsavePost: {
    parameters: {
      query?: never;
      path: {
        /** @description Slug of the collection, or `saved` for your saved posts. */
        collection: string;
        /** @description Slug or id of the post. */
        post: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  getComment: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
        /** @description Slug or id of the comment’s post. To read, edit or delete a comment of a hidden post, the slug is required, unless the caller wrote the comment, owns the post or is a moderator, because ids can be enumerated. Votes and reports don’t require it. */
        post?: string;
      };
      path: {
        /** @description Id of the comment. */
        comment: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['CommentAnswer'];
        };
      };
    };
  };
  deleteComment: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
        /** @description Slug or id of the comment’s post. To read, edit or delete a comment of a hidden post, the slug is required, unless the caller wrote the comment, owns the post or is a moderator, because ids can be enumerated. Votes and reports don’t require it. */
        post?: string;
      };
      path: {
        /** @description Id of the comment. */
        comment: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['CommentDeleted'];
        };
      };
    };
  };
  updateComment: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
        /** @description Slug or id of the comment’s post. To read, edit or delete a comment of a hidden post, the slug is required, unless the caller wrote the comment, owns the post or is a moderator, because ids can be enumerated. Votes and reports don’t require it. */
        post?: string;
      };
      path: {
        /** @description Id of the comment. */
        comment: number;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateCommentRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['CommentUpdated'];
        };
      };
    };
  };
  setDownvoteComment: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
        /** @description Slug or id of the comment’s post. To read, edit or delete a comment of a hidden post, the slug is required, unless the caller wrote the comment, owns the post or is a moderator, because ids can be enumerated. Votes and reports don’t require it. */
        post?: string;
      };
      path: {
        /** @description Id of the comment. */
        comment: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Vote'];
        };
      };
    };
  };
  downvoteComment: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
        /** @description Slug or id of the comment’s post. To read, edit or delete a comment of a hidden post, the slug is required, unless the caller wrote the comment, owns the post or is a moderator, because ids can be enumerated. Votes and reports don’t require it. */
        post?: string;
      };
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the comment. */
        comment: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Vote'];
        };
      };
    };
  };
  removeDownvoteComment: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
        /** @description Slug or id of the comment’s post. To read, edit or delete a comment of a hidden post, the slug is required, unless the caller wrote the comment, owns the post or is a moderator, because ids can be enumerated. Votes and reports don’t require it. */
        post?: string;
      };
      path: {
        /** @description Id of the comment. */
        comment: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Vote'];
        };
      };
    };
  };
  setUpvoteComment: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
        /** @description Slug or id of the comment’s post. To read, edit or delete a comment of a hidden post, the slug is required, unless the caller wrote the comment, owns the post or is a moderator, because ids can be enumerated. Votes and reports don’t require it. */
        post?: string;
      };
      path: {
        /** @description Id of the comment. */
        comment: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Vote'];
        };
      };
    };
  };
  upvoteComment: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
        /** @description Slug or id of the comment’s post. To read, edit or delete a comment of a hidden post, the slug is required, unless the caller wrote the comment, owns the post or is a moderator, because ids can be enumerated. Votes and reports don’t require it. */
        post?: string;
      };
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the comment. */
        comment: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Vote'];
        };
      };
    };
  };
  removeUpvoteComment: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
        /** @description Slug or id of the comment’s post. To read, edit or delete a comment of a hidden post, the slug is required, unless the caller wrote the comment, owns the post or is a moderator, because ids can be enumerated. Votes and reports don’t require it. */
        post?: string;
      };
      path: {
        /** @description Id of the comment. */
        comment: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Vote'];
        };
      };
    };
  };
  deleteGuest: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  listGuestMedia: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page number, starting at 1. */
        page?: number;
        /** @description How far back in time items are listed. Default: `all`. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description `latest` is the only order. */
        sort?: 'latest';
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['MediaList'];
        };
      };
    };
  };
  listGuestPosts: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page number, starting at 1. */
        page?: number;
        /** @description How far back in time items are listed. Default: `all`. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description `latest` is the only order. */
        sort?: 'latest';
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['PostList'];
        };
      };
    };
  };
  listInvites: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description Page number, starting at 1. */
        page?: number;
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['InviteList'];
        };
      };
    };
  };
  createInvite: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NewInviteRequest'];
      };
    };
    responses: {
      201: {
        content: {
          'application/json': components['schemas']['NewInvite'];
        };
      };
    };
  };
  getInvite: {
    parameters: {
      query?: never;
      path: {
        /** @description Numeric id of the item. */
        id: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['InviteAnswer'];
        };
      };
    };
  };
  revokeInvite: {
    parameters: {
      query?: never;
      path: {
        /** @description Numeric id of the item. */
        id: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  getMe: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Me'];
        };
      };
    };
  };
  deleteMe: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeleteMeRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  updateMe: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateMeRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['AccountUpdated'];
        };
      };
    };
  };
  beginAuthenticatorApp: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ProofRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['NewApp'];
        };
      };
    };
  };
  removeAuthenticatorApp: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ProofRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  confirmAuthenticatorApp: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ConfirmAppRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['AddedFactor'];
        };
      };
    };
  };
  listBlocks: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description Page number, starting at 1. */
        page?: number;
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['RelationList'];
        };
      };
    };
  };
  listCollections: {
    parameters: {
      query?: {
        /** @description Slug or id of a post: `contains` then says which collections hold it. */
        post?: string;
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['CollectionList'];
        };
      };
    };
  };
  createCollection: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateCollectionRequest'];
      };
    };
    responses: {
      201: {
        content: {
          'application/json': components['schemas']['CollectionAnswer'];
        };
      };
    };
  };
  sendEmailVerification: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      202: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  listFollowedPosts: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page number, starting at 1. */
        page?: number;
        /** @description How far back in time posts are listed. Default: `all`. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description Default: `latest`. `top`: the highest score first, the newest first among equals. */
        sort?: 'latest' | 'top';
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['PostList'];
        };
      };
    };
  };
  listFollowedTags: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description Page number, starting at 1. */
        page?: number;
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['FollowedTagList'];
        };
      };
    };
  };
  adoptGuestUploads: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AdoptGuestRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Adopted'];
        };
      };
    };
  };
  listIdentities: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['IdentityList'];
        };
      };
    };
  };
  linkProvider: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LinkProviderRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['ProviderLoginStart'];
        };
      };
    };
  };
  unlinkProvider: {
    parameters: {
      query?: never;
      path: {
        /** @description Numeric id of the item. */
        id: number;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UnlinkProviderRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  listLogins: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['PastLoginList'];
        };
      };
    };
  };
  listOwnMedia: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description Page number, starting at 1. */
        page?: number;
        /** @description How far back in time media are listed. Default: `all`. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description Default: `latest`. `largest`: the largest originals first. */
        sort?: 'latest' | 'largest';
        /** @description Only media of this type. `image`: a still picture. */
        type?: 'image' | 'animation' | 'video';
        /** @description `1`: only media that are in no post. */
        without_post?: '0' | '1' | 'true' | 'false';
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['MediaList'];
        };
      };
    };
  };
  changeOwnMedia: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeOwnMediaRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['ChangedMediaList'];
        };
      };
    };
  };
  listMutes: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description Page number, starting at 1. */
        page?: number;
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['RelationList'];
        };
      };
    };
  };
  getNotificationSettings: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['NotificationSettingsAnswer'];
        };
      };
    };
  };
  updateNotificationSettings: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NotificationSettingsRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['NotificationSettingsAnswer'];
        };
      };
    };
  };
  listNotifications: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description Page number, starting at 1. */
        page?: number;
        /** @description `1` lists only unread notifications. */
        unread?: '0' | '1' | 'true' | 'false';
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['NotificationList'];
        };
      };
    };
  };
  readNotification: {
    parameters: {
      query?: never;
      path: {
        /** @description Id of the notification. */
        notification: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  readNotifications: {
    parameters: {
      query?: {
        /** @description The id of the latest notification to mark; later ones stay unread. If absent, all are marked. */
        up_to?: number;
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  addPasskey: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AddPasskeyRequest'];
      };
    };
    responses: {
      201: {
        content: {
          'application/json': components['schemas']['AddedPasskey'];
        };
      };
    };
  };
  removePasskey: {
    parameters: {
      query?: never;
      path: {
        /** @description Numeric id of the item. */
        id: number;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ProofRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  renamePasskey: {
    parameters: {
      query?: never;
      path: {
        /** @description Numeric id of the item. */
        id: number;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RenamePasskeyRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['PasskeyAnswer'];
        };
      };
    };
  };
  beginPasskey: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ProofRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['PasskeyOptions'];
        };
      };
    };
  };
  changePassword: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangePasswordRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  replaceRecoveryCodes: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ProofRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['RecoveryCodes'];
        };
      };
    };
  };
  getSecurity: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['SecurityAnswer'];
        };
      };
    };
  };
  listMedia: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page number, starting at 1. */
        page?: number;
        /** @description How far back in time items are listed, with a precision of one second. Default: `all`. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description Search words; each of them must occur in the title, description or tags. */
        q?: string;
        /** @description Seed of the order for `sort=random`. If absent, the server chooses one and puts it into the links. */
        seed?: number;
        /** @description Slugs, separated by commas. The response holds exactly these media items, in this order, on one page; items that are unknown or that the caller may not see are omitted. All other parameters are ignored. */
        slugs?: string;
        /** @description Default: `latest`. `top`: the highest score first, the newest first among equals; a vote changes the order within a few seconds. The score of a media item is the highest score of the listed posts that contain it, 0 if there is none. `rising`: the best scores for their age, among the items of the last three days with the highest scores (at most 1,000); `period` is ignored. */
        sort?: 'latest' | 'rising' | 'top' | 'random';
        /** @description Only items with this tag. */
        tag?: string;
        /** @description Only items of this user. */
        username?: string;
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['MediaList'];
        };
      };
    };
  };
  uploadMedia: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': components['schemas']['UploadRequest'];
      };
    };
    responses: {
      201: {
        content: {
          'application/json': components['schemas']['UploadAnswer'];
        };
      };
    };
  };
  getMedia: {
    parameters: {
      query?: {
        /** @description Longest time in seconds to wait until the media item is processed, and is either moderated or waiting for a moderator. The response is sent as soon as this is the case, or after this time with the current state. It is sent immediately if too many requests are waiting. */
        wait?: number;
      };
      path: {
        /** @description Slug (seven letters or digits) or, where the route says so, numeric id. */
        slug: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['MediaDetailsAnswer'];
        };
      };
    };
  };
  deleteMedia: {
    parameters: {
      query?: never;
      path: {
        /** @description Slug (seven letters or digits) or, where the route says so, numeric id. */
        slug: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  updateMedia: {
    parameters: {
      query?: never;
      path: {
        /** @description Slug (seven letters or digits) or, where the route says so, numeric id. */
        slug: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateMediaRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  uploadMediaByUrl: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/x-www-form-urlencoded': components['schemas']['UrlUploadRequest'];
      };
    };
    responses: {
      201: {
        content: {
          'application/json': components['schemas']['UploadAnswer'];
        };
      };
    };
  };
  listApplications: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description Page number, starting at 1. */
        page?: number;
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['ApplicationList'];
        };
      };
    };
  };
  decideApplication: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ApplicationDecisionRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  listDecisions: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description Page number, starting at 1. */
        page?: number;
        /** @description Only decisions on the media item or post with this slug, or on the account with this username. */
        slug?: string;
        /** @description Only decisions on this type of item; `user` is an account. */
        type?: 'media' | 'post' | 'user';
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['DecisionList'];
        };
      };
    };
  };
  listBannedHashes: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description Page number, starting at 1. */
        page?: number;
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['BannedHashList'];
        };
      };
    };
  };
  banHash: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BanHashRequest'];
      };
    };
    responses: {
      201: {
        content: {
          'application/json': components['schemas']['HashBanned'];
        };
      };
    };
  };
  getBannedHash: {
    parameters: {
      query?: never;
      path: {
        /** @description Numeric id of the item. */
        id: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['BannedHashAnswer'];
        };
      };
    };
  };
  unbanHash: {
    parameters: {
      query?: never;
      path: {
        /** @description Numeric id of the item. */
        id: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  ruleOnMedia: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Slug (seven letters or digits) or, where the route says so, numeric id. */
        slug: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ModerationRulingRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['MediaRuled'];
        };
      };
    };
  };
  ruleOnPost: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PostRulingRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['PostRuled'];
        };
      };
    };
  };
  listModerationQueue: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description Page number, starting at 1. */
        page?: number;
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['QueueItemList'];
        };
      };
    };
  };
  dismissReports: {
    parameters: {
      query?: never;
      path: {
        /** @description Slug of a media item, slug or id of a post, id of a comment, or a username. */
        target: string;
        /** @description Type of the reported item. */
        type: 'media' | 'post' | 'comment' | 'user';
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  getModeratedUser: {
    parameters: {
      query?: never;
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['ModeratedAccountAnswer'];
        };
      };
    };
  };
  ruleOnUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AccountRulingRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['AccountRuled'];
        };
      };
    };
  };
  getOpenApi: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': {
            [key: string]: unknown;
          };
        };
      };
    };
  };
  listPosts: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page number, starting at 1. */
        page?: number;
        /** @description How far back in time items are listed, with a precision of one second. Default: `all`. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description Search words; each of them must occur in the title, description or tags. */
        q?: string;
        /** @description Seed of the order for `sort=random`. If absent, the server chooses one and puts it into the links. */
        seed?: number;
        /** @description `1`: the posts that resemble `q` instead of containing its words, the most similar first and at most 300: words with the same beginning or another English ending, titles with similar words, parts of Chinese, Japanese and Korean texts. Only `nsfw`, `page` and `limit` apply besides. */
        similar?: '0' | '1' | 'true' | 'false';
        /** @description Default: `latest`. `top`: the highest score first, the newest first among equals; a vote changes the order within a few seconds. The score of a media item is the highest score of the listed posts that contain it, 0 if there is none. `rising`: the best scores for their age, among the items of the last three days with the highest scores (at most 1,000); `period` is ignored. */
        sort?: 'latest' | 'rising' | 'top' | 'random';
        /** @description Only items with this tag. */
        tag?: string;
        /** @description Only items of this user. */
        username?: string;
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['PostList'];
        };
      };
    };
  };
  createPost: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreatePostRequest'];
      };
    };
    responses: {
      201: {
        content: {
          'application/json': components['schemas']['PostCreated'];
        };
      };
    };
  };
  getPost: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
        /** @description Page number of the media list. */
        mediaPage?: number;
        /** @description Number of media per page. */
        perPage?: number;
      };
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['PostAnswer'];
        };
      };
    };
  };
  deletePost: {
    parameters: {
      query?: {
        /** @description `1` also deletes the media of the post, except those that are in other posts too. */
        media?: '0' | '1' | 'true' | 'false';
      };
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  updatePost: {
    parameters: {
      query?: never;
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdatePostRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['PostUpdated'];
        };
      };
    };
  };
  listComments: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
        /** @description Number of items per page. */
        limit?: number;
        /** @description Page number, starting at 1. */
        page?: number;
        /** @description Only the direct replies to this comment. */
        parent_id?: number;
        /** @description Default: `oldest`. */
        sort?: 'oldest' | 'latest' | 'top';
      };
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['CommentList'];
        };
      };
    };
  };
  createComment: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
      };
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateCommentRequest'];
      };
    };
    responses: {
      201: {
        content: {
          'application/json': components['schemas']['CommentCreated'];
        };
      };
    };
  };
  setDownvotePost: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
      };
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Vote'];
        };
      };
    };
  };
  downvotePost: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
      };
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Vote'];
        };
      };
    };
  };
  removeDownvotePost: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
      };
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Vote'];
        };
      };
    };
  };
  addPostMedia: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AddPostMediaRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  removePostMedia: {
    parameters: {
      query?: never;
      path: {
        /** @description Slug or id of the post. */
        post: string;
        /** @description Slug (seven letters or digits) or, where the route says so, numeric id. */
        slug: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  getPostNeighbours: {
    parameters: {
      query?: {
        /** @description A collection (its slug, or `saved`); only `nsfw` applies besides. */
        collection?: string;
        /** @description Access key of a private post. */
        key?: string;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description How far back in time the feed reaches. Default: `all`. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description The feed of the posts with all of these words. */
        q?: string;
        /** @description The order of the feed, or `followed` for `GET /me/feed` of the caller. Default: `latest`. */
        sort?: 'latest' | 'rising' | 'top' | 'followed';
        /** @description The feed of this tag. */
        tag?: string;
        /** @description The feed of this user; `tag` is then ignored. */
        username?: string;
      };
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['NeighboursAnswer'];
        };
      };
    };
  };
  getPostStatistics: {
    parameters: {
      query?: never;
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['PostStatisticsAnswer'];
        };
      };
    };
  };
  setUpvotePost: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
      };
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Vote'];
        };
      };
    };
  };
  upvotePost: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
      };
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Vote'];
        };
      };
    };
  };
  removeUpvotePost: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
      };
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Vote'];
        };
      };
    };
  };
  createReport: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
        /** @description Slug or id of the comment’s post. To read, edit or delete a comment of a hidden post, the slug is required, unless the caller wrote the comment, owns the post or is a moderator, because ids can be enumerated. Votes and reports don’t require it. */
        post?: string;
      };
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateReportRequest'];
      };
    };
    responses: {
      201: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  getReport: {
    parameters: {
      query?: never;
      path: {
        /** @description Numeric id of the item. */
        id: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['OwnReportAnswer'];
        };
      };
    };
  };
  suggest: {
    parameters: {
      query?: {
        /** @description What somebody has typed so far. */
        q?: string;
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['SuggestionsAnswer'];
        };
      };
    };
  };
  listSessions: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['OpenSessionList'];
        };
      };
    };
  };
  endOtherSessions: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ProofRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  endSession: {
    parameters: {
      query?: never;
      path: {
        /** @description Numeric id of the item. */
        id: number;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ProofRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  getSite: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['SiteAnswer'];
        };
      };
    };
  };
  listTags: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description `1` includes nsfw content in the counts. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page number, starting at 1. */
        page?: number;
        /** @description Only tags whose name starts with this text. */
        q?: string;
        /** @description `1`: tags whose name contains `q` or resembles it instead, the most similar first, among the 10,000 most used tags. */
        similar?: '0' | '1' | 'true' | 'false';
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['TagList'];
        };
      };
    };
  };
  getTag: {
    parameters: {
      query?: {
        /** @description `1` includes nsfw content in the counts. */
        nsfw?: '0' | '1' | 'true' | 'false';
      };
      path: {
        /** @description Name of a tag, matched ignoring case. */
        tag: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['SingleTagAnswer'];
        };
      };
    };
  };
  followTag: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Name of a tag, matched ignoring case. */
        tag: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  unfollowTag: {
    parameters: {
      query?: never;
      path: {
        /** @description Name of a tag, matched ignoring case. */
        tag: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  listTokens: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['ApiTokenList'];
        };
      };
    };
  };
  createToken: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateTokenRequest'];
      };
    };
    responses: {
      201: {
        content: {
          'application/json': components['schemas']['NewToken'];
        };
      };
    };
  };
  getToken: {
    parameters: {
      query?: never;
      path: {
        /** @description Numeric id of the item. */
        id: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['ApiTokenAnswer'];
        };
      };
    };
  };
  revokeToken: {
    parameters: {
      query?: never;
      path: {
        /** @description Numeric id of the item. */
        id: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  revokeCurrentToken: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  createUploadTicket: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UploadTicketRequest'];
      };
    };
    responses: {
      201: {
        content: {
          'application/json': components['schemas']['UploadTicket'];
        };
      };
    };
  };
  searchUsers: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description Page number, starting at 1. */
        page?: number;
        /** @description A part of a username, or something like it. */
        q?: string;
      };
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['AuthorList'];
        };
      };
    };
  };
  getUser: {
    parameters: {
      query?: never;
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['UserAnswer'];
        };
      };
    };
  };
  blockUser: {
    parameters: {
      query?: never;
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  unblockUser: {
    parameters: {
      query?: never;
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  listUserComments: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page number, starting at 1. */
        page?: number;
        /** @description How far back in time items are listed. Default: `all`. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description `latest` is the only order. */
        sort?: 'latest';
      };
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['UserCommentList'];
        };
      };
    };
  };
  followUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  unfollowUser: {
    parameters: {
      query?: never;
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  listFollowers: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page number, starting at 1. */
        page?: number;
        /** @description How far back in time items are listed. Default: `all`. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description `latest` is the only order. */
        sort?: 'latest';
      };
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['FollowList'];
        };
      };
    };
  };
  listFollowing: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page number, starting at 1. */
        page?: number;
        /** @description How far back in time items are listed. Default: `all`. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description `latest` is the only order. */
        sort?: 'latest';
      };
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['FollowList'];
        };
      };
    };
  };
  listUserMedia: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page number, starting at 1. */
        page?: number;
        /** @description How far back in time items are listed. Default: `all`. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description `latest` is the only order. */
        sort?: 'latest';
      };
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['MediaList'];
        };
      };
    };
  };
  muteUser: {
    parameters: {
      query?: never;
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  unmuteUser: {
    parameters: {
      query?: never;
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  listUserPosts: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page number, starting at 1. */
        page?: number;
        /** @description How far back in time items are listed. Default: `all`. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description `latest` is the only order. */
        sort?: 'latest';
      };
      path: {
        /** @description Username, matched ignoring case. */
        username: string;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['PostList'];
        };
      };
    };
  };
  listWebhooks: {
    parameters: {
      query?: never;
      path?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['WebhookList'];
        };
      };
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateWebhookRequest'];
      };
    };
    responses: {
      201: {
        content: {
          'application/json': components['schemas']['NewWebhook'];
        };
      };
    };
  };
  getWebhook: {
    parameters: {
      query?: never;
      path: {
        /** @description Numeric id of the item. */
        id: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['WebhookAnswer'];
        };
      };
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      path: {
        /** @description Numeric id of the item. */
        id: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  updateWebhook: {
    parameters: {
      query?: never;
      path: {
        /** @description Numeric id of the item. */
        id: number;
      };
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateWebhookRequest'];
      };
    };
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['WebhookUpdated'];
        };
      };
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description Number of items per page. */
        limit?: number;
        /** @description Page number, starting at 1. */
        page?: number;
      };
      path: {
        /** @description Numeric id of the item. */
        id: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['WebhookDeliveryList'];
        };
      };
    };
  };
  getWebhookDelivery: {
    parameters: {
      query?: never;
      path: {
        /** @description Id of the delivery. */
        delivery: number;
        /** @description Numeric id of the item. */
        id: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['WebhookDeliveryAnswer'];
        };
      };
    };
  };
  repeatWebhookDelivery: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the delivery. */
        delivery: number;
        /** @description Numeric id of the item. */
        id: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['WebhookDeliveryQueued'];
        };
      };
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Numeric id of the item. */
        id: number;
      };
    };
    requestBody?: never;
    responses: {
      200: {
        content: {
          'application/json': components['schemas']['NewWebhook'];
        };
      };
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description The server carries out a request with a given key once. Repeating it with the same key within 24 hours returns the stored response. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Numeric id of the item. */
        id: number;
      };
    };
    requestBody?: never;
    responses: {
      201: {
        content: {
          'application/json': components['schemas']['WebhookDeliveryQueued'];
        };
      };
    };
  };
}
