import { Body, Controller, Delete, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { AddPostMediaRequest, MessageResource } from '@vitrine/contracts';
import { type Caller, PostEditingService } from '@vitrine/domain';
import { Answers, API_PREFIX, Authenticated, CurrentCaller } from '@vitrine/http';

@ApiTags('posts')
@Controller(`${API_PREFIX}/posts/:post/media`)
export class PostMediaController {
  constructor(private readonly editing: PostEditingService) {}

  @Post()
  @Authenticated({ scope: 'write', guest: 'too' })
  @ApiOperation({
    operationId: 'addPostMedia',
    summary: 'Put media at the end of a post',
    description: 'The owner alone, with media of their own that aren’t in it yet. A post holds 50 at most.',
  })
  @Answers(200, MessageResource, 'The media are in the post.')
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
    summary: 'Take a media out of a post',
    description: 'The owner alone. The media itself stays; the last one of a post can’t be taken out (422).',
  })
  @Answers(200, MessageResource, 'The media is out of the post.')
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
