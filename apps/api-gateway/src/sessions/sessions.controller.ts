import { Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { MessageResource, OpenSessionResource } from '@vitrine/contracts';
import { type Caller, presentSession, TokensService } from '@vitrine/domain';
import { Answers, AnswersData, API_PREFIX, Authenticated, CurrentCaller, IdPipe } from '@vitrine/http';

@ApiTags('auth')
@Controller(`${API_PREFIX}/sessions`)
@Authenticated({ session: true })
export class SessionsController {
  constructor(private readonly tokens: TokensService) {}

  @Get()
  @ApiOperation({ operationId: 'listSessions', summary: 'Where one is logged in' })
  @AnswersData([OpenSessionResource], 'The open sessions, the latest used first.')
  async list(@CurrentCaller() caller: Caller): Promise<{ data: OpenSessionResource[] }> {
    const sessions = await this.tokens.listSessions(caller.userId);
    return { data: sessions.map((session) => presentSession(session, caller)) };
  }

  @Delete()
  @ApiOperation({
    operationId: 'endOtherSessions',
    summary: 'Log out everywhere else',
    description: 'All sessions end but the one that asks, and all upload tickets.',
  })
  @Answers(200, MessageResource, 'The other sessions are over, everywhere within a second.')
  async endOthers(@CurrentCaller() caller: Caller): Promise<MessageResource> {
    await this.tokens.endOtherSessions(caller);
    return { message: 'Other sessions ended.' };
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'endSession',
    summary: 'End one of one’s own sessions',
    description: 'The one that asks may end itself.',
  })
  @Answers(200, MessageResource, 'The session is over, everywhere within a second.')
  async end(@CurrentCaller() caller: Caller, @Param('id', IdPipe) id: number): Promise<MessageResource> {
    await this.tokens.endSession(caller.userId, id);
    return { message: 'Session ended.' };
  }
}
