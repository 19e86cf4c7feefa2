interface ShareXTarget {
  /** Name in ShareX's list of uploaders. */
  readonly name: string;
  /** Address of the upload endpoint. */
  readonly upload: string;
  readonly token: string;
}

/**
 * The content of an `.sxcu` file: a custom uploader for ShareX with its token. docs/clients.md explains it;
 * docs/vitrine.sxcu is the template without a token.
 */
export const shareXFile = ({ name, upload, token }: ShareXTarget): object => ({
  Version: '16.0.0',
  Name: name,
  DestinationType: 'ImageUploader, FileUploader',
  RequestMethod: 'POST',
  RequestURL: upload,
  Headers: { Authorization: `Bearer ${token}` },
  Body: 'MultipartFormData',
  FileFormName: 'file',
  URL: '{json:media.urls.original}',
  ThumbnailURL: '{json:media.urls.thumb}',
  DeletionURL: '{json:media.page_url}',
  ErrorMessage: '{json:message}',
});
