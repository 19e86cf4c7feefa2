import { ApiProperty } from '@nestjs/swagger';
import { MediaResource } from './media-resource';
import { CreatedPostResource } from './post-resources';

/** The response to an upload. */
export class UploadAnswer {
  @ApiProperty({ example: 'The file has been uploaded.' })
  message!: string;

  @ApiProperty({ type: MediaResource })
  media!: MediaResource;

  @ApiProperty({
    type: CreatedPostResource,
    required: false,
    description: 'Present if the upload created a post (`post=1`).',
  })
  post?: CreatedPostResource;
}
