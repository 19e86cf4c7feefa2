// Made of docs/openapi.json by `npm run client:types`. Do not edit.

export interface components {
  schemas: {
    Account: {
      /**
       * Format: uri
       * @description URL of the picture.
       */
      avatar: string | null;
      bio: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: email */
      email: string | null;
      follower_count: number;
      following_count: number;
      media_count: number;
      post_count: number;
      /** @enum {string} */
      role: 'user' | 'moderator' | 'admin';
      username: string;
    };
    AccountUpdated: {
      data: components['schemas']['Account'];
      message: string;
    };
    AddPostMediaRequest: {
      /** @description Ids of media of one’s own. */
      media_ids: number[];
    };
    ApiToken: {
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      expires_at: string | null;
      id: number;
      /**
       * Format: date-time
       * @description To within five minutes.
       */
      last_used_at: string | null;
      name: string;
      scopes: ('read' | 'upload' | 'write' | 'moderate')[];
    };
    Author: {
      /**
       * Format: uri
       * @description URL of the picture.
       */
      avatar: string | null;
      username: string;
    };
    BanHashRequest: {
      /** @description SHA-256 of the file’s bytes, or PDQ of a picture. */
      hash: string;
      /**
       * @description `sha256` where absent.
       * @enum {string}
       */
      kind?: 'sha256' | 'pdq';
      reason: string;
    };
    Banned: {
      error: string;
      /** @description The same text. */
      message: string;
    };
    BannedHash: {
      /** Format: date-time */
      created_at: string;
      /** @description Username; null where the operator banned it. */
      created_by: string | null;
      hash: string;
      id: number;
      /** @enum {string} */
      kind: 'sha256' | 'pdq';
      reason: string;
    };
    ChangePasswordRequest: {
      current_password: string;
      /** @description If true, the API tokens stay valid; otherwise all of them end. */
      keep_tokens?: boolean;
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
    Comment: {
      /** @description `[deleted]` on a tombstone. */
      content: string;
      /** Format: date-time */
      created_at: string;
      id: number;
      isDownvotedByUser: boolean;
      isUpvotedByUser: boolean;
      parent_id: number | null;
      post_id: number;
      /** @description Direct replies. */
      replies_count: number;
      score: number;
      /** @description Null on a tombstone. */
      user: components['schemas']['Author'] | null;
      /** @description Null on a tombstone. */
      user_id: number | null;
    };
    CommentCreated: {
      comment: components['schemas']['Comment'];
      success: boolean;
    };
    CommentDeleted: {
      message: string;
      success: boolean;
    };
    CommentedPost: {
      slug: string;
      /** @description Null too where the post is private or rejected, and neither one’s own nor for moderators. */
      title: string | null;
    };
    CreateCommentRequest: {
      content: string;
      /** @description The comment of the same post that this one replies to. */
      parent_id?: number | null;
    };
    CreatedPost: {
      /** @description Where the post is private. */
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
      /** @description Ids of media of one’s own. */
      media_ids: number[];
      tags?: string[] | null;
      title?: string | null;
      /**
       * @description `public` where absent.
       * @enum {string}
       */
      visibility?: 'public' | 'hidden' | 'private';
    };
    CreateReportRequest: {
      details?: string | null;
      /** @enum {string} */
      reason: 'spam' | 'abuse' | 'nsfw' | 'illegal' | 'copyright' | 'other';
      /** @description Slug of a media, slug or id of a post, id of a comment, username. */
      target: string | number;
      /** @enum {string} */
      type: 'media' | 'post' | 'comment' | 'user';
    };
    CreateTokenRequest: {
      /** @description The password of the account. */
      current_password: string;
      /**
       * Format: date-time
       * @description Must be in the future. Default: a year from now; `null` makes a token that never ends.
       */
      expires_at?: string | null;
      /** @description What the token is for. */
      name: string;
      /** @description Default: `read`, `upload` and `write`. Only moderators and admins can give `moderate`, which the staff routes need. */
      scopes?: ('read' | 'upload' | 'write' | 'moderate')[];
    };
    Decision: {
      /** Format: date-time */
      created_at: string;
      /** @description `system`, or the username of moderator or owner; `owner` where that account has been deleted since. */
      decided_by: string;
      /** @enum {string} */
      from: 'approved' | 'pending' | 'nsfw' | 'rejected';
      id: number;
      /** @description A moderator’s own words. */
      note: string | null;
      /** @description `classifier_safe`, `classifier_unsafe`, `classifier_unsure`, `classifier_failed`, `partly_seen`, `banned_hash`, `processing_failed`, `processing_again`, `moderator`, `owner`, `content_changed`; more may come. */
      reason: string;
      /** @description For rulings on posts: the revision of the content that was ruled on. */
      revision: number | null;
      scores: components['schemas']['ModerationScores'] | null;
      /** @description Of the media or post, which may be gone. */
      slug: string;
      /** @enum {string} */
      to: 'approved' | 'pending' | 'nsfw' | 'rejected';
      /** @enum {string} */
      type: 'media' | 'post';
    };
    DeleteMeRequest: {
      password: string;
    };
    Error: {
      /** @description A sentence for people. */
      message: string;
    };
    Follow: {
      /**
       * Format: uri
       * @description URL of the picture.
       */
      avatar: string | null;
      /** Format: date-time */
      followed_at: string;
      username: string;
    };
    HashBanned: {
      /** @description The entry; the first one where it was banned before. */
      banned_hash: components['schemas']['BannedHash'];
      message: string;
    };
    InvalidFields: {
      /** @description Sentences by field; an item of a list goes by `<field>.<index>`. */
      errors: {
        [key: string]: string[];
      };
      /** @description The first sentence, and how many more there are. */
      message: string;
    };
    ListedPost: {
      /** @description To the owner only: opens a private post as `?key=`. */
      access_key?: string | null;
      /** @description Comments that are not deleted. */
      comment_count: number;
      /** Format: date-time */
      created_at: string;
      description: string | null;
      /** @description Preview; null where there is none to show. */
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
      /** @description Shown to moderators only: rises with each change of title, description, tags or media. A ruling names it. */
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
      /** @description Views by others than the owner; may lag by seconds. */
      view_count: number;
      /**
       * @description To the owner only.
       * @enum {string}
       */
      visibility?: 'public' | 'hidden' | 'private';
    };
    LoginRequest: {
      /** @description The username, ignoring case. An email address is not a login name. */
      login: string;
      password: string;
    };
    Media: {
      /** @description What the picture shows, for those who cannot see it. */
      alt_text: string | null;
      /** @description Whether it is an image of several frames; so are its sizes. */
      animated: boolean;
      /** Format: date-time */
      created_at: string;
      description: string | null;
      /** @description Seconds; videos only. */
      duration: number | null;
      /** @description Extension of the original. */
      ext: string;
      /** @description Storage filename, equal to the slug. */
      filename: string;
      /** @description Pixels as displayed. */
      height: number;
      id: number;
      /** @description Shown to the owner only: whether feeds show the media item, at least with `nsfw=1`. */
      listed?: boolean;
      /** @enum {string} */
      moderation_status: 'approved' | 'pending' | 'nsfw' | 'rejected';
      /** Format: uri */
      page_url: string;
      /** @description True once every sized variant exists. */
      processed: boolean;
      /** @description Why processing failed for good. */
      processing_error: string | null;
      /** @description Bytes of the served original. */
      size: number;
      slug: string;
      tags: string[];
      /** @description Base64; null until processed. */
      thumbhash: string | null;
      title: string | null;
      /** @description MIME type by content. */
      type: string;
      /** @description Shown to the owner only: whether the media item is kept out of feeds, tags, search and profiles until it is in a public post. */
      unlisted?: boolean;
      urls: components['schemas']['MediaUrls'];
      /** @description Null for guest uploads. */
      user: components['schemas']['Author'] | null;
      /** @description Pixels as displayed. */
      width: number;
    };
    MediaRuled: {
      /** @description What `ban` added; what was banned before isn’t among them. To undo it, unban these. */
      banned_hashes: components['schemas']['BannedHash'][];
      media: components['schemas']['Media'];
      message: string;
    };
    MediaUrls: {
      /** Format: uri */
      lg: string;
      /** Format: uri */
      md: string;
      /** Format: uri */
      original: string;
      /** Format: uri */
      sm: string;
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
    ModerationRulingRequest: {
      /** @description Also ban the files and their pictures; with `rejected` alone. */
      ban?: boolean;
      /** @description Kept in the log of decisions. */
      reason: string;
      /**
       * @description `pending`: undecided again. A media waits in the queue; a post’s status follows from its media and its owner’s word; the reports that the caller’s last ruling on it closed are open again.
       * @enum {string}
       */
      status: 'approved' | 'nsfw' | 'rejected' | 'pending';
    };
    ModerationScores: {
      /** @description Id of the banned hash that a picture matched. */
      banned_hash_id?: number;
      /** @description Of the worst picture. */
      classes?: components['schemas']['ClassScores'];
      /** @description Differing bits of 256. */
      distance?: number;
      /** @description Pictures looked at. */
      frames?: number;
      /** @description Unsafe probability of the worst picture. */
      unsafe?: number;
      /** @description Which picture that is, from 0. */
      worst_frame?: number;
    };
    NewToken: {
      api_token: components['schemas']['ApiToken'];
      message: string;
      /** @description The secret; shown this once. */
      token: string;
    };
    OpenSession: {
      /** Format: date-time */
      created_at: string;
      /** @description The session that asks. */
      current: boolean;
      /** @description Browser and system with which it was opened; null where they aren’t known. */
      device: string | null;
      /**
       * Format: date-time
       * @description Moves on with use.
       */
      expires_at: string;
      id: number;
      /**
       * Format: date-time
       * @description To within five minutes.
       */
      last_used_at: string;
    };
    OwnReport: {
      /** Format: date-time */
      created_at: string;
      details: string | null;
      id: number;
      /** @enum {string} */
      reason: 'spam' | 'abuse' | 'nsfw' | 'illegal' | 'copyright' | 'other';
      /** @description Slug of a media item or post, id of a comment, username. */
      target: string;
      /** @enum {string} */
      type: 'media' | 'post' | 'comment' | 'user';
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
      /** @description 1 where the list is empty. */
      last_page: number;
      /**
       * Format: uri
       * @description Address of the list, without parameters.
       */
      path: string;
      per_page: number;
      /** @description Position of the last item; null on an empty page. */
      to: number | null;
      /** @description Items in the whole list. */
      total: number;
    };
    Post: {
      /** @description To the owner only: opens a private post as `?key=`. */
      access_key?: string | null;
      /** @description Comments that are not deleted. */
      comment_count: number;
      /** Format: date-time */
      created_at: string;
      description: string | null;
      id: number;
      /** @description Whether the caller has downvoted the post. */
      isDownvotedByUser: boolean;
      /** @description Whether the caller has upvoted the post. */
      isUpvotedByUser: boolean;
      /** @description Whether feeds show it, if only to who asks for nsfw. What they don’t show is not for search engines. */
      listed: boolean;
      media: components['schemas']['Media'][];
      media_count: number;
      /** @enum {string} */
      moderation_status: 'approved' | 'pending' | 'nsfw' | 'rejected';
      /** Format: uri */
      page_url: string;
      /** @description Shown to moderators only: rises with each change of title, description, tags or media. A ruling names it. */
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
      /** @description Views by others than the owner; may lag by seconds. */
      view_count: number;
      /**
       * @description To the owner only.
       * @enum {string}
       */
      visibility?: 'public' | 'hidden' | 'private';
    };
    PostCreated: {
      message: string;
      post: components['schemas']['CreatedPost'];
    };
    PostRuled: {
      /** @description What `ban` added; what was banned before isn’t among them. To undo it, unban these. */
      banned_hashes: components['schemas']['BannedHash'][];
      message: string;
      post: components['schemas']['ListedPost'];
    };
    PostRulingRequest: {
      /** @description Also ban the files and their pictures; with `rejected` alone. */
      ban?: boolean;
      /** @description Kept in the log of decisions. */
      reason: string;
      /** @description The `revision` of the post that the moderator has read. The answer is 409 if the post has changed since. Required for `approved` and `nsfw` once the post has changed (from its revision 2 on). */
      revision?: number;
      /**
       * @description `pending`: undecided again. A media waits in the queue; a post’s status follows from its media and its owner’s word; the reports that the caller’s last ruling on it closed are open again.
       * @enum {string}
       */
      status: 'approved' | 'nsfw' | 'rejected' | 'pending';
    };
    PostUpdated: {
      /** @description Where the post is private. */
      access_key?: string;
      message: string;
      /** @enum {string} */
      visibility: 'public' | 'hidden' | 'private';
    };
    QueueItem: {
      comment?: components['schemas']['UserComment'];
      /** @description The ten latest open reports, latest first. */
      latest_reports: components['schemas']['Report'][];
      media?: components['schemas']['Media'];
      post?: components['schemas']['ListedPost'];
      /** @description Why it waits, each code once: reason codes of automation, `content_changed` (a change of the post ended a ruling on it), and the reasons of reports. */
      reasons: string[];
      /** @description Open reports. */
      reports: number;
      /** @description Of the latest automated decision; media alone have any. */
      scores: components['schemas']['ModerationScores'] | null;
      /**
       * @description Which of the four the item holds.
       * @enum {string}
       */
      type: 'media' | 'post' | 'comment' | 'user';
      user?: components['schemas']['Author'];
      /** Format: date-time */
      waiting_since: string;
    };
    RegisterRequest: {
      /**
       * Format: email
       * @description Not verified, so it is neither unique nor a login name.
       */
      email?: string | null;
      password: string;
      /** @description Unique ignoring case. Some names are reserved. */
      username: string;
    };
    Report: {
      /** Format: date-time */
      created_at: string;
      details: string | null;
      /** @enum {string} */
      reason: 'spam' | 'abuse' | 'nsfw' | 'illegal' | 'copyright' | 'other';
      /** @description Who reported it. */
      reporter: string;
    };
    Session: {
      /**
       * Format: date-time
       * @description Moves on with use.
       */
      expires_at: string;
      message: string;
      /** @description Bearer token of the session; shown this once. */
      session: string;
      user: components['schemas']['Account'];
    };
    Tag: {
      /** @description Media items that the feeds show; with `nsfw=1`, nsfw ones too. */
      media_count: number;
      name: string;
      /** @description Posts that the feeds show; with `nsfw=1`, nsfw ones too. */
      post_count: number;
    };
    UpdateMediaRequest: {
      /** @description What the picture shows, for those who cannot see it. */
      alt_text?: string | null;
      description?: string | null;
      tags?: string[] | null;
      title?: string | null;
      /** @description If true, the media item is kept out of feeds, tags, search and profiles until it is in a public post. */
      unlisted?: boolean;
    };
    UpdateMeRequest: {
      /** @description Slug of a picture of one’s own. */
      avatar?: string | null;
      bio?: string | null;
      /** @description Required where `email` changes. */
      current_password?: string;
      /**
       * Format: email
       * @description Changing it needs `current_password`.
       */
      email?: string | null;
    };
    UpdatePostRequest: {
      description?: string | null;
      /** @description Marks the post as adult content. */
      is_nsfw?: boolean;
      /** @description Every media of the post, in the order wanted. */
      media_order?: string[];
      tags?: string[] | null;
      title?: string | null;
      /**
       * @description `private` makes an access key.
       * @enum {string}
       */
      visibility?: 'public' | 'hidden' | 'private';
    };
    UploadAnswer: {
      media: components['schemas']['Media'];
      message: string;
    };
    UploadRequest: {
      /**
       * Format: binary
       * @description An image or a video of at most 100 MB, told by its content.
       */
      file: string;
      /** @description Slug or id of a post of one’s own, to which the media is added. */
      post_id?: string;
      /**
       * @description If true, the media item is kept out of feeds, tags, search and profiles until it is in a public post.
       * @default false
       * @enum {string}
       */
      unlisted: 'true' | 'false';
    };
    UploadTicket: {
      /**
       * Format: date-time
       * @description An hour from now, used or not.
       */
      expires_at: string;
      /** @description Bearer token of the guest who was made for this ticket, where there was no token; shown this once. */
      guest_token?: string;
      message: string;
      /** @description Bearer token that uploads and does nothing else; shown this once. */
      ticket: string;
    };
    User: {
      /**
       * Format: uri
       * @description URL of the picture.
       */
      avatar: string | null;
      bio: string | null;
      /** Format: date-time */
      created_at: string;
      follower_count: number;
      following_count: number;
      /** @description Whether the caller follows this account. */
      isFollowedByUser: boolean;
      /** @description Media that everybody can find. */
      media_count: number;
      /** @description Posts that everybody can find. */
      post_count: number;
      username: string;
    };
    UserComment: {
      /** @description `[deleted]` on a tombstone. */
      content: string;
      /** Format: date-time */
      created_at: string;
      id: number;
      isDownvotedByUser: boolean;
      isUpvotedByUser: boolean;
      parent_id: number | null;
      post: components['schemas']['CommentedPost'];
      post_id: number;
      /** @description Direct replies. */
      replies_count: number;
      score: number;
      /** @description Null on a tombstone. */
      user: components['schemas']['Author'] | null;
      /** @description Null on a tombstone. */
      user_id: number | null;
    };
    Vote: {
      message: string;
      /** @description Upvotes minus downvotes, with this vote. */
      score: number;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}

export interface operations {
  login: {
    parameters: {
      query?: never;
      header?: {
        /** @description The same request with the same key gets the same response for 24 hours, and is carried out once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LoginRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
    };
  };
  logout: {
    parameters: {
      query?: never;
      header?: {
        /** @description The same request with the same key gets the same response for 24 hours, and is carried out once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  register: {
    parameters: {
      query?: never;
      header?: {
        /** @description The same request with the same key gets the same response for 24 hours, and is carried out once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RegisterRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
    };
  };
  getComment: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
      };
      header?: never;
      path: {
        /** @description Id of the comment. */
        comment: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Comment'];
          };
        };
      };
    };
  };
  deleteComment: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
      };
      header?: never;
      path: {
        /** @description Id of the comment. */
        comment: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CommentDeleted'];
        };
      };
    };
  };
  downvoteComment: {
    parameters: {
      query?: {
        /** @description Access key of a private post. */
        key?: string;
      };
      header?: {
        /** @description The same request with the same key gets the same response for 24 hours, and is carried out once. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the comment. */
        comment: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
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
      };
      header?: {
        /** @description The same request with the same key gets the same response for 24 hours, and is carried out once. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Id of the comment. */
        comment: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Vote'];
        };
      };
    };
  };
  deleteGuest: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  listGuestMedia: {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page, from 1. */
        page?: number;
        /** @description How far back; `all` where absent. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description `latest` is the only order. */
        sort?: 'latest';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Media'][];
            links: components['schemas']['PageLinks'];
            meta: components['schemas']['PageMeta'];
          };
        };
      };
    };
  };
  listGuestPosts: {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page, from 1. */
        page?: number;
        /** @description How far back; `all` where absent. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description `latest` is the only order. */
        sort?: 'latest';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ListedPost'][];
            links: components['schemas']['PageLinks'];
            meta: components['schemas']['PageMeta'];
          };
        };
      };
    };
  };
  getMe: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Account'];
          };
        };
      };
    };
  };
  deleteMe: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeleteMeRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  updateMe: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateMeRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccountUpdated'];
        };
      };
    };
  };
  changePassword: {
    parameters: {
      query?: never;
      header?: {
        /** @description The same request with the same key gets the same response for 24 hours, and is carried out once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangePasswordRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  listMedia: {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page, from 1. */
        page?: number;
        /** @description How far back, to the second; `all` where absent. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description Words, all of which must be in title, description or tags. */
        q?: string;
        /** @description The order of `sort=random`; made up where absent, and kept in the links. */
        seed?: number;
        /** @description Slugs, separated by commas: exactly these media items, in this order, on one page. Unknown ones, and those that the caller may not see, are left out. The other parameters have no effect then. */
        slugs?: string;
        /** @description `latest` where absent. */
        sort?: 'latest' | 'random';
        /** @description Name of a tag. */
        tag?: string;
        /** @description Only what this account has posted. */
        username?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Media'][];
            links: components['schemas']['PageLinks'];
            meta: components['schemas']['PageMeta'];
          };
        };
      };
    };
  };
  uploadMedia: {
    parameters: {
      query?: never;
      header?: {
        /** @description The same request with the same key gets the same response for 24 hours, and is carried out once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': components['schemas']['UploadRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UploadAnswer'];
        };
      };
    };
  };
  getMedia: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Slug: seven letters and digits. */
        slug: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Media'];
          };
        };
      };
    };
  };
  deleteMedia: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Slug: seven letters and digits. */
        slug: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  updateMedia: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Slug: seven letters and digits. */
        slug: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateMediaRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  listDecisions: {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description Page, from 1. */
        page?: number;
        /** @description Only decisions on the media or post of this slug. */
        slug?: string;
        /** @description Only decisions on these. */
        type?: 'media' | 'post';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Decision'][];
            links: components['schemas']['PageLinks'];
            meta: components['schemas']['PageMeta'];
          };
        };
      };
    };
  };
  listBannedHashes: {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description Page, from 1. */
        page?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['BannedHash'][];
            links: components['schemas']['PageLinks'];
            meta: components['schemas']['PageMeta'];
          };
        };
      };
    };
  };
  banHash: {
    parameters: {
      query?: never;
      header?: {
        /** @description The same request with the same key gets the same response for 24 hours, and is carried out once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BanHashRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HashBanned'];
        };
      };
    };
  };
  getBannedHash: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the thing. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['BannedHash'];
          };
        };
      };
    };
  };
  unbanHash: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the thing. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
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
        /** @description The same request with the same key gets the same response for 24 hours, and is carried out once. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Slug: seven letters and digits. */
        slug: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ModerationRulingRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
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
        /** @description The same request with the same key gets the same response for 24 hours, and is carried out once. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PostRulingRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PostRuled'];
        };
      };
    };
  };
  listModerationQueue: {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description Page, from 1. */
        page?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['QueueItem'][];
            links: components['schemas']['PageLinks'];
            meta: components['schemas']['PageMeta'];
          };
        };
      };
    };
  };
  dismissReports: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Slug of a media, slug or id of a post, id of a comment, username. */
        target: string;
        /** @description What kind of thing it is. */
        type: 'media' | 'post' | 'comment' | 'user';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  getOpenApi: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
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
        /** @description Items on a page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page, from 1. */
        page?: number;
        /** @description How far back, to the second; `all` where absent. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description Words, all of which must be in title, description or tags. */
        q?: string;
        /** @description The order of `sort=random`; made up where absent, and kept in the links. */
        seed?: number;
        /** @description `latest` where absent. */
        sort?: 'latest' | 'random';
        /** @description Name of a tag. */
        tag?: string;
        /** @description Only what this account has posted. */
        username?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ListedPost'][];
            links: components['schemas']['PageLinks'];
            meta: components['schemas']['PageMeta'];
          };
        };
      };
    };
  };
  createPost: {
    parameters: {
      query?: never;
      header?: {
        /** @description The same request with the same key gets the same response for 24 hours, and is carried out once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreatePostRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          [name: string]: unknown;
        };
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
        /** @description Page of the media list. */
        mediaPage?: number;
        /** @description Media on a page. */
        perPage?: number;
      };
      header?: never;
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Post'];
            links: components['schemas']['PageLinks'];
            meta: components['schemas']['PageMeta'];
          };
        };
      };
    };
  };
  deletePost: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  updatePost: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdatePostRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
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
        /** @description Items on a page. */
        limit?: number;
        /** @description Page, from 1. */
        page?: number;
        /** @description Only the direct replies to this comment. */
        parent_id?: number;
        /** @description `oldest` where absent. */
        sort?: 'oldest' | 'latest' | 'top';
      };
      header?: never;
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Comment'][];
            links: components['schemas']['PageLinks'];
            meta: components['schemas']['PageMeta'];
          };
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
        /** @description The same request with the same key gets the same response for 24 hours, and is carried out once. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateCommentRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CommentCreated'];
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
        /** @description The same request with the same key gets the same response for 24 hours, and is carried out once. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
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
        /** @description The same request with the same key gets the same response for 24 hours, and is carried out once. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AddPostMediaRequest'];
      };
    };
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  removePostMedia: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Slug or id of the post. */
        post: string;
        /** @description Slug: seven letters and digits. */
        slug: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Message'];
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
        /** @description The same request with the same key gets the same response for 24 hours, and is carried out once. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Slug or id of the post. */
        post: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
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
      };
      header?: {
        /** @description The same request with the same key gets the same response for 24 hours, and is carried out once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateReportRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  getReport: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the thing. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['OwnReport'];
          };
        };
      };
    };
  };
  listSessions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['OpenSession'][];
          };
        };
      };
    };
  };
  endOtherSessions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  endSession: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the thing. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  listTags: {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `1` counts nsfw content too. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page, from 1. */
        page?: number;
        /** @description Beginning of the name. */
        q?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Tag'][];
            links: components['schemas']['PageLinks'];
            meta: components['schemas']['PageMeta'];
          };
        };
      };
    };
  };
  listTokens: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ApiToken'][];
          };
        };
      };
    };
  };
  createToken: {
    parameters: {
      query?: never;
      header?: {
        /** @description The same request with the same key gets the same response for 24 hours, and is carried out once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateTokenRequest'];
      };
    };
    responses: {
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NewToken'];
        };
      };
    };
  };
  getToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the thing. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ApiToken'];
          };
        };
      };
    };
  };
  revokeToken: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the thing. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
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
        /** @description The same request with the same key gets the same response for 24 hours, and is carried out once. */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UploadTicket'];
        };
      };
    };
  };
  getUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the account, ignoring case. */
        username: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['User'];
          };
        };
      };
    };
  };
  listUserComments: {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page, from 1. */
        page?: number;
        /** @description How far back; `all` where absent. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description `latest` is the only order. */
        sort?: 'latest';
      };
      header?: never;
      path: {
        /** @description Name of the account, ignoring case. */
        username: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['UserComment'][];
            links: components['schemas']['PageLinks'];
            meta: components['schemas']['PageMeta'];
          };
        };
      };
    };
  };
  followUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description The same request with the same key gets the same response for 24 hours, and is carried out once. */
        'Idempotency-Key'?: string;
      };
      path: {
        /** @description Name of the account, ignoring case. */
        username: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  unfollowUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the account, ignoring case. */
        username: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
  listFollowers: {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page, from 1. */
        page?: number;
        /** @description How far back; `all` where absent. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description `latest` is the only order. */
        sort?: 'latest';
      };
      header?: never;
      path: {
        /** @description Name of the account, ignoring case. */
        username: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Follow'][];
            links: components['schemas']['PageLinks'];
            meta: components['schemas']['PageMeta'];
          };
        };
      };
    };
  };
  listFollowing: {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page, from 1. */
        page?: number;
        /** @description How far back; `all` where absent. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description `latest` is the only order. */
        sort?: 'latest';
      };
      header?: never;
      path: {
        /** @description Name of the account, ignoring case. */
        username: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Follow'][];
            links: components['schemas']['PageLinks'];
            meta: components['schemas']['PageMeta'];
          };
        };
      };
    };
  };
  listUserMedia: {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page, from 1. */
        page?: number;
        /** @description How far back; `all` where absent. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description `latest` is the only order. */
        sort?: 'latest';
      };
      header?: never;
      path: {
        /** @description Name of the account, ignoring case. */
        username: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Media'][];
            links: components['schemas']['PageLinks'];
            meta: components['schemas']['PageMeta'];
          };
        };
      };
    };
  };
  listUserPosts: {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
        /** @description `1` includes nsfw content. */
        nsfw?: '0' | '1' | 'true' | 'false';
        /** @description Page, from 1. */
        page?: number;
        /** @description How far back; `all` where absent. */
        period?: 'day' | 'week' | 'month' | 'year' | 'all';
        /** @description `latest` is the only order. */
        sort?: 'latest';
      };
      header?: never;
      path: {
        /** @description Name of the account, ignoring case. */
        username: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ListedPost'][];
            links: components['schemas']['PageLinks'];
            meta: components['schemas']['PageMeta'];
          };
        };
      };
    };
  };
}
