interface ShareXTarget {
  /** Under which ShareX lists it. */
  readonly name: string;
  /** Address of the upload endpoint. */
  readonly upload: string;
  readonly token: string;
}

/**
 * A custom uploader for ShareX, whole with its token: the content of an `.sxcu` file. The same as docs/vitrine.sxcu,
 * which is explained in docs/clients.md.
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
