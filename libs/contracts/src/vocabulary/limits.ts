/** Largest number of items per page. */
export const MAX_LIMIT = 250;

/** Files that one account, or one address of guests, may upload in a UTC day, unless the operator sets another number. */
export const DEFAULT_UPLOADS_PER_DAY = 1000;

/** Largest number of media in a post. */
export const MAX_POST_MEDIA = 50;

/** Largest number of tags of a post or a media item. */
export const MAX_TAGS = 20;

/** Largest number of characters in the name of a tag. */
export const MAX_TAG_LENGTH = 50;
