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
      scopes: ('read' | 'upload' | 'write')[];
    };
    Author: {
      /**
       * Format: uri
       * @description URL of the picture.
       */
      avatar: string | null;
      username: string;
    };
    Banned: {
      error: string;
      /** @description The same text. */
      message: string;
    };
    ChangePasswordRequest: {
      current_password: string;
      password: string;
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
      title: string | null;
    };
    CreateCommentRequest: {
      content: string;
      /** @description The comment of the same post that this one replies to. */
      parent_id?: number | null;
    };
    CreateTokenRequest: {
      /**
       * Format: date-time
       * @description In the future; never where absent or null.
       */
      expires_at?: string | null;
      /** @description What the token is for. */
      name: string;
      /** @description All three where absent. */
      scopes?: ('read' | 'upload' | 'write')[];
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
    InvalidFields: {
      /** @description Sentences by field; an item of a list goes by `<field>.<index>`. */
      errors: {
        [key: string]: string[];
      };
      /** @description The first sentence, and how many more there are. */
      message: string;
    };
    LoginRequest: {
      /** @description Username or email. */
      login: string;
      password: string;
    };
    Media: {
      /** @description What the picture shows, for those who cannot see it. */
      alt_text: string | null;
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
      urls: components['schemas']['MediaUrls'];
      /** @description Null for guest uploads. */
      user: components['schemas']['Author'] | null;
      /** @description Pixels as displayed. */
      width: number;
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
    NewToken: {
      api_token: components['schemas']['ApiToken'];
      message: string;
      /** @description The secret; shown this once. */
      token: string;
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
    RegisterRequest: {
      /**
       * Format: email
       * @description Unique ignoring case.
       */
      email?: string | null;
      password: string;
      /** @description Unique ignoring case. */
      username: string;
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
      /** @description Media that everybody can find. */
      media_count: number;
      name: string;
      /** @description Posts that everybody can find. */
      post_count: number;
    };
    UpdateMediaRequest: {
      /** @description What the picture shows, for those who cannot see it. */
      alt_text?: string | null;
      description?: string | null;
      tags?: string[] | null;
      title?: string | null;
    };
    UpdateMeRequest: {
      /** @description Slug of a picture of one’s own. */
      avatar?: string | null;
      bio?: string | null;
      /**
       * Format: email
       * @description Unique ignoring case.
       */
      email?: string | null;
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
  listTags: {
    parameters: {
      query?: {
        /** @description Items on a page. */
        limit?: number;
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
}
