/** The response of the API's base address. It isn't part of the OpenAPI document. */
export interface ApiIndexResource {
  readonly name: string;
  readonly version: string;
  readonly base_url: string;
  readonly upload_url: string;
  /** The host of stored files. */
  readonly files_url: string;
  readonly site_url: string;
  readonly openapi_url: string;
  readonly limits: {
    /** Per address. */
    readonly requests_per_minute: number;
    /** Per account. */
    readonly requests_per_minute_with_token: number;
    readonly media_per_post: number;
    readonly posts_per_media: number;
    /** Tags of a post or a media item. */
    readonly tags: number;
    /** Characters of a tag. */
    readonly tag_length: number;
  };
}
