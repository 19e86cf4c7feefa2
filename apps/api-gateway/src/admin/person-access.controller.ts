import { Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiTokenResource, MessageResource, OpenSessionResource } from '@vitrine/contracts/api';
import { type Caller, PeopleService, presentApiToken, presentSession } from '@vitrine/domain';
import { API_PREFIX, Authenticated, CurrentCaller, IdPipe } from '@vitrine/http';
import { Answers, AnswersData } from '../openapi/answers';

/** The sessions and API tokens of an account, for admins. */
@ApiTags('admin')
@Controller(`${API_PREFIX}/admin/users/:username`)
@Authenticated({ session: true, role: 'admin' })
export class PersonAccessController {
  constructor(private readonly people: PeopleService) {}

  @Get('sessions')
  @ApiOperation({ operationId: 'listSessionsOf', summary: 'List the sessions of an account' })
  @AnswersData([OpenSessionResource], 'The open sessions, most recently used first.')
  async sessions(
    @Param('username') username: string,
    @CurrentCaller() caller: Caller,
  ): Promise<{ data: OpenSessionResource[] }> {
    const sessions = await this.people.listSessions(username);
    return { data: sessions.map((session) => presentSession(session, caller)) };
  }

  @Delete('sessions')
  @ApiOperation({
    operationId: 'endSessionsOf',
    summary: 'End all sessions of an account',
    description: 'Also its upload tickets. API tokens stay.',
  })
  @Answers(200, MessageResource, 'The sessions have ended; every process refuses them within a second.')
  async endSessions(
    @Param('username') username: string,
    @CurrentCaller() caller: Caller,
  ): Promise<MessageResource> {
    await this.people.endSessions(username, caller);
    return { message: 'Sessions ended.' };
  }

  @Delete('sessions/:id')
  @ApiOperation({ operationId: 'endSessionOf', summary: 'End a session of an account' })
  @Answers(200, MessageResource, 'The session has ended; every process refuses it within a second.')
  async endSession(
    @Param('username') username: string,
    @Param('id', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
  ): Promise<MessageResource> {
    await this.people.endSession(username, id, caller);
    return { message: 'Session ended.' };
  }

  @Get('tokens')
  @ApiOperation({
    operationId: 'listTokensOf',
    summary: 'List the API tokens of an account',
    description: 'Without their secrets.',
  })
  @AnswersData([ApiTokenResource], 'The API tokens, oldest first.')
  async tokens(@Param('username') username: string): Promise<{ data: ApiTokenResource[] }> {
    return { data: (await this.people.listTokens(username)).map(presentApiToken) };
  }

  @Delete('tokens/:id')
  @ApiOperation({ operationId: 'revokeTokenOf', summary: 'Revoke an API token of an account' })
  @Answers(200, MessageResource, 'The token is revoked; every process refuses it within a second.')
  async revokeToken(
    @Param('username') username: string,
    @Param('id', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
  ): Promise<MessageResource> {
    await this.people.revokeToken(username, id, caller);
    return { message: 'Token revoked.' };
  }
}
