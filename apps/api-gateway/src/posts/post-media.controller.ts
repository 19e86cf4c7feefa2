import { Body, Controller, Delete, Param } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { MAX_POST_MEDIA, MAX_POSTS_OF_MEDIA } from '@vitrine/contracts';
import { AddPostMediaRequest, MessageResource } from '@vitrine/contracts/api';
import { type Caller, PostEditingService } from '@vitrine/domain';
import { API_PREFIX, Authenticated, CurrentCaller, IdempotentPost } from '@vitrine/http';
import { Answers } from '../openapi/answers';

@ApiTags('posts')
@Controller(`${API_PREFIX}/posts/:post/media`)
export class PostMediaController {
  constructor(private readonly editing: PostEditingService) {}

  @IdempotentPost()
  @Authenticated({ scope: 'write', guest: 'too' })
  @ApiOperation({
    operationId: 'addPostMedia',
    summary: 'Add media to a post',
    description: `Only the owner may do this. The media are added at the end; they must belong to the caller and must not be in the post yet. A post holds at most ${MAX_POST_MEDIA} media, and a media item may be in at most ${MAX_POSTS_OF_MEDIA} posts.`,
  })
  @Answers(200, MessageResource, 'The media are added to the post.')
  async add(
    @Param('post') reference: string,
    @CurrentCaller() caller: Caller,
    @Body() { media_ids: mediaIds }: AddPostMediaRequest,
  ): Promise<MessageResource> {
    await this.editing.addMedia(reference, caller, mediaIds);
    return { message: 'Media added.' };
  }

  @Delete(':slug')
  @Authenticated({ scope: 'write', guest: 'too' })
  @ApiOperation({
    operationId: 'removePostMedia',
    summary: 'Remove a media item from a post',
    description:
      'Only the owner may do this. The media item itself is not deleted. Removing the last media item of a post is an error (422).',
  })
  @Answers(200, MessageResource, 'The media item is removed from the post.')
  @ApiResponse({ status: 422 })
  async remove(
    @Param('post') reference: string,
    @Param('slug') slug: string,
    @CurrentCaller() caller: Caller,
  ): Promise<MessageResource> {
    await this.editing.removeMedia(reference, caller, slug);
    return { message: 'Media removed.' };
  }
}
