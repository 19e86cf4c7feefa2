import { Body, Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { MessageResource, OpenSessionResource, ProofRequest } from '@vitrine/contracts/api';
import { AccountSecurity, type Caller, TokensService } from '@vitrine/domain';
import { presentSession } from './security.presenter';
import { API_PREFIX, Authenticated, CurrentCaller, IdPipe } from '@vitrine/http';
import { PROOF, proofIn } from '../proofs/proof-bodies';
import { Answers, AnswersData } from '../openapi/answers';

@ApiTags('auth')
@Controller(`${API_PREFIX}/sessions`)
@Authenticated({ session: true, withoutFactor: true })
export class SessionsController {
  constructor(
    private readonly tokens: TokensService,
    private readonly security: AccountSecurity,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listSessions',
    summary: 'List your sessions',
    description:
      'Each login is a session. `current` marks the session of this request, and `device` names browser and operating system.',
  })
  @AnswersData([OpenSessionResource], 'The open sessions, most recently used first.')
  async list(@CurrentCaller() caller: Caller): Promise<{ data: OpenSessionResource[] }> {
    const sessions = await this.tokens.listSessions(caller.userId);
    return { data: sessions.map((session) => presentSession(session, caller)) };
  }

  @Delete()
  @ApiOperation({
    operationId: 'endOtherSessions',
    summary: 'Log out of other devices',
    description: `Ends all sessions except the one of this request, and all upload tickets. ${PROOF}`,
  })
  @Answers(200, MessageResource, 'The other sessions have ended; every process refuses them within a second.')
  async endOthers(@CurrentCaller() caller: Caller, @Body() proof: ProofRequest): Promise<MessageResource> {
    await this.security.endOtherSessions(caller, proofIn(proof));
    return { message: 'Other sessions ended.' };
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'endSession',
    summary: 'End one of your sessions',
    description: `${PROOF} The session of this request needs neither.`,
  })
  @Answers(200, MessageResource, 'The session has ended; every process refuses it within a second.')
  async end(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: number,
    @Body() proof: ProofRequest,
  ): Promise<MessageResource> {
    await this.security.endSession(caller, id, proofIn(proof));
    return { message: 'Session ended.' };
  }
}
