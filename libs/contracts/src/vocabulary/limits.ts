/** Largest number of items per page. */
export const MAX_LIMIT = 250;

/** Files that one account, or one address of guests, may upload in a UTC day, unless the operator sets another number. */
export const DEFAULT_UPLOADS_PER_DAY = 1000;

/**
 * Seconds that the processing of the longest video may take. RabbitMQ must not take its message back before: it does after
 * 30 minutes by default, and after the `consumer_timeout` of our manifests.
 */
export const LONGEST_VIDEO_SECONDS = 1500;

/** Largest number of media in a post. */
export const MAX_POST_MEDIA = 50;

/** Largest number of posts that one media item may be in. */
export const MAX_POSTS_OF_MEDIA = 50;

/** Largest number of collections of an account, and of posts in one. */
export const MAX_COLLECTIONS = 100;
export const MAX_COLLECTION_POSTS = 10_000;

/** Largest number of tags of a post or a media item. */
export const MAX_TAGS = 20;

/** Largest number of tags that an account may follow. */
export const MAX_FOLLOWED_TAGS = 1000;

/** The feed of followed people and tags reaches back so many posts. */
export const FOLLOWED_FEED_REACH = 1000;

/** Largest number of characters in the name of a tag. */
export const MAX_TAG_LENGTH = 50;

/** Largest numbers of characters (Unicode code points) in the texts that people enter. */
export const MAX_LENGTHS = {
  username: 30,
  /** RFC 5321, 4.5.3.1.3. */
  email: 254,
  password: 200,
  /** A code of a link, of an invite, or of a second factor. */
  code: 100,
  title: 255,
  description: 5000,
  altText: 1000,
  comment: 500,
  bio: 500,
  application: 1000,
  /** Why somebody reports an item, or why a moderator rules on it. */
  reason: 1000,
  deletionReason: 500,
  /** The name that an owner gives to a token or a passkey. */
  name: 100,
  /** The note of an invite, for its creator. */
  note: 200,
} as const;
