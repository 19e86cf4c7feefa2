import { Body, Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { MessageResource, ReplayRequest, WorkResource } from '@vitrine/contracts/api';
import { type Caller, WorkService } from '@vitrine/domain';
import { presentWork } from './work.presenter';
import { API_PREFIX, Authenticated, CurrentCaller, IdempotentPost } from '@vitrine/http';
import { Answers, AnswersData } from '../openapi/answers';

@ApiTags('admin')
@Controller(`${API_PREFIX}/admin`)
@Authenticated({ session: true, role: 'admin' })
export class WorkController {
  constructor(private readonly work: WorkService) {}

  @Get('work')
  @ApiOperation({
    operationId: 'getWork',
    summary: 'Get the work of the processes',
    description:
      'Returns the queues of the bus with their dead letters, the media that wait, and the errors of media that could not be processed.',
  })
  @AnswersData(WorkResource, 'The pending and failed work of the processes.')
  async show(): Promise<{ data: WorkResource }> {
    return { data: presentWork(await this.work.find()) };
  }

  @IdempotentPost('dead-letters')
  @ApiOperation({
    operationId: 'replayDeadLetters',
    summary: 'Try dead letters again',
    description:
      'Puts one dead letter of a queue back into it, or all of them. The process that manages the queue does so within about ten seconds. A dead letter that no longer exists by then is ignored.',
  })
  @Answers(202, MessageResource, 'The request is stored. The dead letters will be put back into their queue.')
  async replay(
    @CurrentCaller() caller: Caller,
    @Body() { queue, id = null }: ReplayRequest,
  ): Promise<MessageResource> {
    await this.work.requestReplay(queue, id, caller);
    return { message: 'Dead letters will be tried again.' };
  }
}
