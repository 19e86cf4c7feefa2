import { ApiProperty } from '@nestjs/swagger';
import { AuthorResource } from './media-resource';
import { TagResource } from './tag-resource';

/** What a typed text may become. */
export class SuggestionsResource {
  @ApiProperty({ type: [AuthorResource], description: 'People, at most 4.' })
  users!: AuthorResource[];

  @ApiProperty({ type: [TagResource], description: 'Tags that begin with the text, at most 4.' })
  tags!: TagResource[];

  @ApiProperty({
    type: [String],
    example: ['Sunset at sea'],
    description:
      'Titles of posts that begin with the text, then those in which a later word does, at most 4.',
  })
  titles!: string[];
}
