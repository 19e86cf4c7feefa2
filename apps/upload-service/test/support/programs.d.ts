// The parts that we use of packages that do not export their types.

declare module 'imgur' {
  import type { ReadStream } from 'node:fs';

  interface Answer<Data> {
    readonly status: number;
    readonly success: boolean;
    readonly data: Data;
  }
  interface Image {
    readonly id: string;
    readonly link: string;
    readonly deletehash: string;
    readonly title: string | null;
    readonly width: number;
  }
  export class ImgurClient {
    constructor(credentials: { readonly clientId?: string; readonly accessToken?: string });
    /** Its HTTP client (axios), which holds the address of the API. */
    readonly fetcher: { readonly defaults: { baseURL: string } };
    upload(image: {
      readonly image: ReadStream | string;
      readonly type: 'stream' | 'base64';
      readonly title?: string;
    }): Promise<Answer<Image>>;
    getImage(id: string): Promise<Answer<Image>>;
    updateImage(change: { readonly imageHash: string; readonly title: string }): Promise<Answer<boolean>>;
    deleteImage(deletehash: string): Promise<Answer<boolean>>;
  }
}

declare module 'imgbb-uploader' {
  function upload(options: {
    readonly apiKey: string;
    readonly imagePath: string;
    readonly name?: string;
    /** The address of a Chevereto host; without it the file goes to ImgBB. */
    readonly cheveretoHost?: string;
    readonly customPayload?: Readonly<Record<string, string>>;
  }): Promise<{ readonly url: string; readonly image: { readonly url: string } }>;
  export = upload;
}
